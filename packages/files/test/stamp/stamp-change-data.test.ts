import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { StampFilesOptions } from '../../src/stamp/stamp-files-options.ts'
import { stampFiles } from '../../src/stamp/stamp-files.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }] } as const

describe('stampFiles with change data', () => {
  const path = useTemporaryFolder()
  const stampChanges = async (input: string, options: Partial<StampFilesOptions> = {}): Promise<string> => {
    writeFileSync(path('in.ndjson'), input)
    await stampFiles(PLAN, {
      inputs: [path('in.ndjson')],
      output: path('out.ndjson'),
      changeData: 'debezium',
      ...options
    })
    return readFileSync(path('out.ndjson'), 'utf8')
  }

  const CREATE = '{"before":null,"after":{"deviceId":"a"},"op":"c"}'

  test.each([
    [CREATE, '{"before":null,"after":{"deviceId":"a","partitionKey":"a"},"op":"c"}'],
    [
      ' {"op":"u", "after":{"deviceId":"b"} ,"before":{"deviceId":"a","n":1.50}}\r',
      '{"op":"u", "after":{"deviceId":"b","partitionKey":"b"} ,"before":{"deviceId":"a","n":1.50,"partitionKey":"a"}}'
    ],
    [
      '{"before":{"id":1},"after":{"deviceId":"a"},"op":"u"}',
      '{"before":{"id":1},"after":{"deviceId":"a","partitionKey":"a"},"op":"u"}'
    ],
    [
      '{"before":{"deviceId":"a"},"after":null,"op":"d"}',
      '{"before":{"deviceId":"a","partitionKey":"a"},"after":null,"op":"d"}'
    ],
    [
      '{"schema":{},"payload":{"op":"r","after":{"deviceId":"a"}}}',
      '{"schema":{},"payload":{"op":"r","after":{"deviceId":"a","partitionKey":"a"}}}'
    ],
    [
      JSON.stringify({ op: 'c', after: '{"deviceId":"é \\"q\\""}' }),
      JSON.stringify({ op: 'c', after: '{"deviceId":"é \\"q\\"","partitionKey":"é \\"q\\""}' })
    ],
    ['null', 'null'],
    ['{"op":"t","before":null,"after":null}', '{"op":"t","before":null,"after":null}'],
    ['{"op":"m","message":{}}', '{"op":"m","message":{}}']
  ])('stamps the rows, and keeps everything else: %s', async (line, stamped) => {
    expect(await stampChanges(`${line}\n`)).toBe(`${stamped}\n`)
  })

  test('writes the same output for any chunk size, and from an array', async () => {
    const changes = Array.from({ length: 300 }, (_, n) => CREATE.replace('"a"', `"${'x'.repeat(n + 1)}"`))
    const expected = await stampChanges(changes.map((change) => `${change}\n`).join(''))

    expect(expected.split('\n')).toHaveLength(301)
    for (const chunkBytes of [700, 4096])
      expect(await stampChanges(changes.map((change) => `${change}\n`).join(''), { chunkBytes })).toBe(expected)
    expect(await stampChanges(`[${changes.join(',\n')}]`, { form: 'array' })).toBe(expected)
  })

  test.each([
    ['{"after":{"deviceId":"a"}}', 'OPERATION_MISSING', '/op'],
    ['{"op":"c","after":{"id":1}}', 'FIELD_MISSING', '/after/deviceId'],
    ['{"op":"d","before":{"id":1}}', 'FIELD_MISSING', '/before/deviceId'],
    ['{"op":"d","before":null}', 'BEFORE_MISSING', '/before']
  ])('rejects %s, and loses nothing', async (line, code, at) => {
    const output = await stampChanges(`${line}\n${CREATE}\n`, { onError: { collect: path('bad') } })

    expect(output.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(readFileSync(path('bad'), 'utf8'))).toMatchObject({ code, path: at, record: line })
  })

  test('refuses CSV, and other formats of change data', async () => {
    await expect(stampChanges('', { form: 'csv' })).rejects.toThrow('CSV has no envelopes')
    await expect(stampChanges('', { changeData: 'other' as never })).rejects.toThrow('must be "debezium"')
  })
})
