import { describe, expect, it } from 'vitest'
import { parseCommit, partitionOf } from './commit-log.ts'
import { parseScenario } from './read-scenarios.ts'

describe('the log of commits', () => {
  it('is in the partition that the broker chooses for the group', () => {
    // computed by Java; the last two hashes are negative, and the last one is the lowest 32-bit integer
    expect(['group-a', 'orders-sink', 'polygenelubricants'].map((group) => partitionOf(group, 50))).toEqual([47, 15, 0])
  })

  it('has the offset, the process that committed it, and the time', () => {
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

describe('a scenario file', () => {
  it.each([
    ['a missing title', 'records: 3\n', /has no title/],
    ['an unknown key', 'title: t\nfault: []\n', /the unknown key fault/],
    ['an unknown key of an event', 'title: t\nevents: [{ at: 3, do: [] }]\n', /the unknown key at/],
    ['an unknown expectation', 'title: t\nexpect: { end: {} }\n', /the unknown key end/]
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
