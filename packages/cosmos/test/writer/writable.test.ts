import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { rejected } from '../../src/classify/to-outcome.ts'
import { createWritable, type RecordPlace, type WritableOptions } from '../../src/writer/writable.ts'

/** A stream into a writer that takes nothing. */
function open(options?: WritableOptions): Writable {
  const writer = {
    submit: (_operation: unknown, onOutcome: (outcome: ReturnType<typeof rejected>) => void) => onOutcome(rejected('COSMOS_REJECTED')),
    hasRoom: () => true,
    room: () => Promise.resolve(),
    flush: () => Promise.resolve()
  }
  return createWritable(writer, options)
}

it('names the line at which it ends, blank ones counted', async () => {
  const lines = Readable.from([Buffer.from('\n\r\n{"id"'), Buffer.from(':"a"}\n')])

  await expect(pipeline(lines, open())).rejects.toMatchObject({ code: 'RECORD_REJECTED', message: expect.stringMatching(/^Line 3: /) })
})

it('names the record at which it ends', async () => {
  await expect(pipeline(Readable.from([[], [{ id: 'a' }]]), open())).rejects.toMatchObject({
    message: expect.stringMatching(/^Record 0: /)
  })
})

it('tells where the rejected records stood', async () => {
  const places: RecordPlace[] = []
  const onRejected = (...[, , place]: Parameters<NonNullable<WritableOptions['onRejected']>>): void => void places.push(place)

  await pipeline(Readable.from([{ id: 'a' }, [{ id: 'b' }, { id: 'c' }]]), open({ onRejected }))
  await pipeline(Readable.from([Buffer.from('{}\n\n{}')]), open({ onRejected }))

  expect(places).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }, { line: 1 }, { line: 3 }])
})

it.each<[string, unknown, string]>([
  ['a name that is not known', { strateg: 'append' }, '`strateg` is no option of a writable'],
  ['a strategy that is not known', { strategy: 'appnd' }, '`strategy` must be overwrite, append,'],
  ['two that say what is done', { strategy: 'append', operation: () => undefined }, 'either `strategy` or `operation`'],
  ['what is no function', { onRejected: [] }, '`onRejected` must be a function']
])('refuses %s', (_title, options, sentence) => {
  expect(() => open(options as WritableOptions)).toThrow(sentence)
})
