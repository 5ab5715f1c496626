import { describe, expect, it } from 'vitest'
import { parseCommit, partitionOf } from './commit-log.ts'
import { parseScenario } from './read-scenarios.ts'

describe('the log of commits', () => {
  it('is found in the partition that the broker takes for the group', () => {
    // computed by Java; the hashes of the last two are below zero, the very last is the lowest of all
    expect(['group-a', 'orders-sink', 'polygenelubricants'].map((group) => partitionOf(group, 50))).toEqual([47, 15, 0])
  })

  it('gives the offset, who committed it, and when', () => {
    const metadata = JSON.stringify({ keystamp: 1, plan: 'x', by: 'me', left: true })
    const key = Buffer.concat([int16(1), textField('group'), textField('topic'), int32(3)])
    const value = Buffer.concat([int16(3), int64(42), int32(-1), textField(metadata), int64(1000)])

    expect(parseCommit({ key, value }, 'group', 'topic')).toEqual({
      partition: 3,
      offset: 42,
      by: 'me',
      hasLeft: true,
      atMs: 1000
    })
    const compact = Buffer.concat([
      int16(4),
      int64(43),
      int32(-1),
      Buffer.from([0x80 | 73, 1]),
      Buffer.from('{}'.padEnd(200)),
      int64(7),
      Buffer.alloc(1)
    ])
    expect(parseCommit({ key, value: compact }, 'group', 'topic')).toMatchObject({ offset: 43, by: undefined, atMs: 7 })
    expect(parseCommit({ key, value }, 'other', 'topic')).toBeUndefined()
    expect(parseCommit({ key, value: null }, 'group', 'topic')).toBeUndefined()
    expect(parseCommit({ key: Buffer.concat([int16(2), textField('group')]), value }, 'group', 'topic')).toBeUndefined()
  })
})

describe('a file of a scenario', () => {
  it.each([
    ['no title', 'records: 3\n', /has no title/],
    ['a member that nobody reads', 'title: t\nfault: []\n', /a member fault, which nobody reads/],
    ['a happening that nobody reads', 'title: t\nhappenings: [{ at: 3, do: [] }]\n', /a member at, which nobody reads/],
    ['an expectation that nobody reads', 'title: t\nexpect: { end: {} }\n', /a member end, which nobody reads/]
  ])('is refused with %s', (_, text, complaint) => {
    expect(() => parseScenario('one.yaml', text)).toThrow(complaint)
  })
})

function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeInt16BE(value)
  return buffer
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}

function int64(value: number): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64BE(BigInt(value))
  return buffer
}

function textField(value: string): Buffer {
  return Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)])
}
