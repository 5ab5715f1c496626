import { startEmulator, type Emulator } from '@keystamp/emulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReader, createWriter, operationFor, type Writer, type WriterOptions } from '../../src/index.ts'

const PLAN = '{ "into": "/pk", "from": [{ "field": "/device" }] }'
let emulator: Emulator
beforeAll(async () => {
  emulator = await startEmulator({ containers: ['d/c:/pk'], ruPerSecond: 1000 })
})
afterAll(() => emulator.stop())

async function withWriter<T>(options: Partial<WriterOptions>, use: (writer: Writer) => T): Promise<T> {
  const writer = await createWriter({ ...place(), ...options })
  try {
    return use(writer)
  } finally {
    await writer.close()
  }
}

function place(): Pick<WriterOptions, 'endpoint' | 'key' | 'database' | 'container'> {
  return { endpoint: emulator.endpoint, key: emulator.key, database: 'd', container: 'c' }
}

describe('a writer', () => {
  it.each([25, 1.01, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, 'x', '0.5', undefined])(
    'throws for the share %s',
    async (part) => {
      await withWriter({}, (writer) => {
        expect(() => writer.usePart(part as number)).toThrow(expect.objectContaining({ code: 'OPTION_INVALID' }))
        expect(writer.stats().budgetRuPerSecond).toBe(1000)
        writer.usePart(0.25)
        expect(writer.stats().budgetRuPerSecond).toBe(250)
        writer.usePart(1)
      })
    }
  )

  it.each([
    [0.5, '`share` is 0.5, which means 0.5 RU/s. For 50 percent of the throughput write `share: "50%"`.'],
    [0.07, '`share` is 0.07, which means 0.07 RU/s. For 7 percent of the throughput write `share: "7%"`.'],
    [50, '`share` is 50, which means 50 RU/s. For 50 percent of the throughput write `share: "50%"`.']
  ])('warns about the share %s, which may be meant as a percentage', async (share, warning) => {
    await withWriter({ share }, ({ warnings }) => expect(warnings).toEqual([warning]))
  })

  it.each([100, 5000, '1%', '50%'] as const)('does not warn about the share %s', async (share) => {
    await withWriter({ share }, ({ warnings }) => expect(warnings).toEqual([]))
  })

  it('throws for `submit` without a callback', async () => {
    await withWriter({}, (writer) => {
      const submit = writer.submit as (operation: object) => void
      expect(() => submit({ kind: 'upsert', record: { id: '1', pk: 'a' } })).toThrow(
        expect.objectContaining({ code: 'OPTION_INVALID' })
      )
      expect(writer.stats().operations).toBe(0)
    })
  })

  it.each([undefined, null, 'AccountEndpoint=...'])('reports the expected argument if it gets %s', async (options) => {
    const refusal = { code: 'OPTION_INVALID', message: expect.stringMatching(/needs an object with `endpoint`/) }

    await expect(createWriter(options as never)).rejects.toMatchObject(refusal)
    expect(() => createReader(options as never)).toThrow(expect.objectContaining(refusal))
  })

  it.each<[string, unknown, RegExp]>([
    ['text', PLAN, /createPlan\(parsePlanText\(text\)\)/],
    ['null', null, /The key plan has a mistake/]
  ])('throws before it sends anything if the plan is %s, as a reader does', async (_, plan, message) => {
    const options = { ...place(), endpoint: 'http://127.0.0.1:1/', metadataTimeoutMs: 100, plan: plan as never }
    const refusal = { code: 'PLAN_INVALID', message: expect.stringMatching(message) }

    await expect(createWriter(options)).rejects.toMatchObject(refusal)
    expect(() => createReader(options)).toThrow(expect.objectContaining(refusal))
  })
})

it('operationFor throws for an unknown strategy, and names all strategies', () => {
  expect(() => operationFor('upsrt' as never, { record: { id: '1' } })).toThrow(
    /The strategy must be overwrite, append, /
  )
})
