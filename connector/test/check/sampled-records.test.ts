import { describe, expect, test } from 'vitest'
import { PLAN, RECORD, runCheck } from './run-check.ts'

describe('the sampled records of a check', () => {
  test('shows values only with `showValues`', async () => {
    expect((await runCheck()).samples[0]).not.toHaveProperty('document')
    expect((await runCheck({ showValues: true })).samples[0]).toMatchObject({
      document: '{"id":"a","vin":"1FTFW1ET5DFC10312","pk":"1FTFW1ET5DFC10312"}'
    })
  })

  test('shows a rejected value as is, and bytes that are not UTF-8 as base64', async () => {
    const values = [Buffer.from('no JSON'), Buffer.from([0xff, 0x1b])]
    const probe = { samples: async () => values.map((value) => ({ record: { ...RECORD, value }, isNext: true })) }
    const { samples } = await runCheck({ showValues: true, probe })

    expect(samples.map(({ value }) => value)).toEqual(['no JSON', 'base64 /xs='])
  })

  test('fails if the next record would stop the sink, and warns if the record would be skipped or was already read', async () => {
    const record = { ...RECORD, value: Buffer.from('no JSON') }
    const findings = async (config: string, isNext: boolean): Promise<unknown> =>
      (await runCheck({ config: PLAN + config, probe: { samples: async () => [{ record, isNext }] } })).findings.filter(
        ({ of }) => of === 'sample'
      )

    expect(await findings('', true)).toEqual([
      {
        of: 'sample',
        state: 'failed',
        message:
          'The next record of drives (partition 1, offset 7) will be rejected with JSON_INVALID, and `rejects.policy: stop` stops the sink there.'
      }
    ])
    expect(await findings('rejects: { policy: skip }\n', true)).toMatchObject([{ state: 'warning' }])
    expect(await findings('', false)).toMatchObject([{ state: 'warning' }])
  })

  test('reports why a record would be rejected, and which record would be ignored', async () => {
    const records = [
      { ...RECORD, value: Buffer.from('{"id":"a"}') },
      { ...RECORD, value: Buffer.from('no JSON') },
      { ...RECORD, value: null }
    ]
    const { samples } = await runCheck({
      config: `${PLAN}write: { tombstones: ignore }\n`,
      probe: { samples: async () => records.map((record) => ({ record, isNext: true })) }
    })

    expect(samples.map(({ becomes }) => becomes)).toMatchObject([
      { kind: 'rejected', stage: 'map', code: 'FIELD_MISSING' },
      { kind: 'rejected', code: 'JSON_INVALID' },
      { kind: 'ignored' }
    ])
  })

  test('shows no sample of a topic without records, and does not fail', async () => {
    const { findings, samples } = await runCheck({ probe: { samples: async () => [] } })

    expect(samples).toEqual([])
    expect(findings.at(-1)).toEqual({ of: 'sample', state: 'ok', message: 'No record to show in drives.' })
  })

  test('waits a limited time for a schema', async () => {
    const decoder = {
      decode: () => new Promise<never>(() => {}),
      waitingFor: 'the schema registry has not answered yet',
      hasWriteRegions: async () => false,
      close: () => {}
    }
    const { samples } = await runCheck({ parts: { createDecoder: () => decoder, sleep: async () => {} } })

    expect(samples[0].becomes).toMatchObject({
      kind: 'rejected',
      message: 'The record is not decoded yet: the schema registry has not answered yet.'
    })
  })
})
