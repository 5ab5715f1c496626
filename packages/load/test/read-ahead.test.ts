import { describe, expect, it } from 'vitest'
import type { InputLine } from '@keystamp/files/internal'
import { readAhead, type ReadLines } from '../src/write-records.ts'

const BEGIN = { line: 0, byte: 0 }

describe('readAhead', () => {
  it('begins to read before the records are requested, and returns all records once and in order', async () => {
    const { read, events } = input(3)
    const ahead = readAhead(read, 'a', BEGIN)
    expect(events).toEqual(['open a from 0'])

    expect(await linesOf(ahead.read('a', BEGIN))).toEqual([0, 1, 2])
    expect(events).toEqual(['open a from 0', 'close a'])
  })

  it('starts a new read for another input, for another position and for a second read of the same input', async () => {
    const { read, events } = input(1)
    const ahead = readAhead(read, 'a', BEGIN)
    await linesOf(ahead.read('b', BEGIN))
    await linesOf(ahead.read('a', { line: 5, byte: 50 }))
    await linesOf(ahead.read('a', BEGIN))
    expect(await linesOf(ahead.read('a', BEGIN))).toEqual([0])

    expect(events.filter((event) => event.startsWith('open'))).toEqual([
      'open a from 0',
      'open b from 0',
      'open a from 5',
      'open a from 0'
    ])
  })

  it('reports a failure only when the records are requested', async () => {
    const { read } = input(0, new Error('no such file'))
    const ahead = readAhead(read, 'a', BEGIN)
    await new Promise((resolve) => setImmediate(resolve))

    await expect(linesOf(ahead.read('a', BEGIN))).rejects.toThrow('no such file')
  })

  it('closes an input whose records were not requested', async () => {
    const { read, events } = input(3)
    const ahead = readAhead(read, 'a', BEGIN)
    ahead.close()
    await new Promise((resolve) => setImmediate(resolve))

    expect(events).toEqual(['open a from 0', 'close a'])
  })

  it('closes an input if its reader stops before the end', async () => {
    const { read, events } = input(3)
    for await (const _ of readAhead(read, 'a', BEGIN).read('a', BEGIN)) break

    expect(events).toEqual(['open a from 0', 'close a'])
  })

  it.each([
    ['standard input', '-'],
    ['no input', undefined]
  ])('does not read %s before its records are requested', (_, name) => {
    const { read, events } = input(1)
    readAhead(read, name, BEGIN)

    expect(events).toEqual([])
  })
})

function input(count: number, failure?: Error): { readonly read: ReadLines; readonly events: string[] } {
  const events: string[] = []
  return { events, read }

  async function* read(name: string, from: { readonly line: number }): AsyncGenerator<readonly InputLine[]> {
    events.push(`open ${name} from ${from.line}`)
    try {
      for (let line = 0; line < count; line++) yield [{ line } as InputLine]
      if (failure !== undefined) throw failure
    } finally {
      events.push(`close ${name}`)
    }
  }
}

async function linesOf(lines: AsyncIterable<readonly InputLine[]>): Promise<readonly number[]> {
  const found: number[] = []
  for await (const some of lines) found.push(...some.map(({ line }) => line))
  return found
}
