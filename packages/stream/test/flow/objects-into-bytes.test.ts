import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { stampArray, stampLines, stampLinesStage } from '../../src/index.ts'

const PLAN = { into: '/pk', from: [{ field: '/a' }] } as const
const SENTENCE = 'A chunk is an object, but this stage takes bytes or strings. For objects, use `stamp`'

describe('a stage over bytes that gets an object', () => {
  test.each([
    ['stampLines', stampLines],
    ['stampArray', stampArray]
  ])('fails the pipeline with an error that explains the mistake: %s', async (_name, stage) => {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })

    await expect(pipeline(Readable.from([{ a: 'x' }]), stage(PLAN), nowhere)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining(SENTENCE)
    })
  })

  test('emits an error event at the write', async () => {
    const stage = stampLines(PLAN)
    const failed = new Promise((resolve) => stage.on('error', resolve))

    expect(stage.write({ a: 'x' })).toBe(false)
    expect(await failed).toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('throws if it is called as a function', () => {
    expect(() => stampLinesStage(PLAN)({ a: 'x' } as never)).toThrow(SENTENCE)
  })
})
