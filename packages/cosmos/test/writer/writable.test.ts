import fc from 'fast-check'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { rejected } from '../../src/dispatch/outcome.ts'
import { createWritable, LineSplitter, type RecordPosition, type WritableOptions } from '../../src/writer/writable.ts'

/** Creates a stream into a writer that accepts nothing. */
function open(options?: WritableOptions): Writable {
  const writer = {
    submit: (_operation: unknown, onOutcome: (outcome: ReturnType<typeof rejected>) => void) =>
      onOutcome(rejected('COSMOS_REJECTED')),
    hasRoom: () => true,
    room: () => Promise.resolve(),
    flush: () => Promise.resolve()
  }
  return createWritable(writer, options)
}

it('the error of a writable stream has the number of the failed line, in which blank lines are counted', async () => {
  const lines = Readable.from([Buffer.from('\n\r\n{"id"'), Buffer.from(':"a"}\n')])

  await expect(pipeline(lines, open())).rejects.toMatchObject({
    code: 'RECORD_REJECTED',
    message: expect.stringMatching(/^Line 3: /)
  })
})

it('the error of a writable stream has the index of the record that failed', async () => {
  await expect(pipeline(Readable.from([[], [{ id: 'a' }]]), open())).rejects.toMatchObject({
    message: expect.stringMatching(/^Record 0: /)
  })
})

it('a writable stream passes the position of each rejected record to `onRejected`', async () => {
  const places: RecordPosition[] = []
  const onRejected = (...[, , place]: Parameters<NonNullable<WritableOptions['onRejected']>>): void =>
    void places.push(place)

  await pipeline(Readable.from([{ id: 'a' }, [{ id: 'b' }, { id: 'c' }]]), open({ onRejected }))
  await pipeline(Readable.from([Buffer.from('{}\n\n{}')]), open({ onRejected }))

  expect(places).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }, { line: 1 }, { line: 3 }])
})

it.each<[string, unknown, string]>([
  ['an unknown name', { strateg: 'append' }, 'The option `strateg` is not known here'],
  ['an unknown strategy', { strategy: 'appnd' }, '`strategy` must be overwrite, append,'],
  [
    'two options for the operation',
    { strategy: 'append', operation: () => undefined },
    'either `strategy` or `operation`'
  ],
  ['a callback that is not a function', { onRejected: [] }, '`onRejected` must be a function']
])('createWritable refuses %s', (_title, options, sentence) => {
  expect(() => open(options as WritableOptions)).toThrow(sentence)
})

it('LineSplitter returns the same lines however its input is divided into chunks', () => {
  const text = fc
    .array(fc.constantFrom('{"a":1}', '', '  ', '{"é":"日本"}', '\r'), { maxLength: 20 })
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (whole, cuts) => {
      const splitter = new LineSplitter()
      const bytes = Buffer.from(whole)
      const bounds = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length]
      const lines = bounds.slice(1).flatMap((end, index) => splitter.split(bytes.subarray(bounds[index], end)))
      const found = [...lines, ...splitter.rest()].map((each) => [each.line, Buffer.from(each.bytes).toString()])
      const numbered = whole.split('\n').map((line, index) => [index + 1, line] as const)
      expect(found).toEqual(numbered.filter(([, line]) => line.trim() !== ''))
    })
  )
})

it('LineSplitter removes a byte order mark only before the first line', () => {
  const splitter = new LineSplitter()
  const lines = [...splitter.split(Buffer.from('\uFEFF{"a":1}\n\uFEFF{}')), ...splitter.rest()]

  expect(lines.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['{"a":1}', '\uFEFF{}'])
})

it('LineSplitter limits the length of a line without an end', () => {
  const splitter = new LineSplitter()
  splitter.split(Buffer.from('{}\n'))
  const piece = Buffer.alloc(1024 * 1024, 0x20)
  const gather = (): void => {
    for (let count = 0; count < 17; count++) splitter.split(piece)
  }

  expect(gather).toThrow('Line 2 has no end within 16777216 bytes')
})
