import { createWriteStream, mkdirSync, openSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { stampFiles } from '../../src/stamp/stamp-files.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }] } as const
const LINE = '{"deviceId":"a"}\n'

test('stampFiles throws if `inputs` is a string, and suggests an array', async () => {
  const options = { inputs: 'in.ndjson', output: 'out.ndjson' } as unknown as Parameters<typeof stampFiles>[1]

  await expect(stampFiles(PLAN, options)).rejects.toThrow('`inputs` must be an array: write `inputs: ["in.ndjson"]`')
})

describe('an output that is also an input', () => {
  const path = useTemporaryFolder()

  test.each(['a.ndjson', 'deep/../a.ndjson', 'link'])(
    'is refused under the name %s if there are several inputs, because it would grow with every run',
    async (output) => {
      mkdirSync(path('deep'))
      for (const name of ['a.ndjson', 'b.ndjson']) writeFileSync(path(name), LINE)
      symlinkSync(path('a.ndjson'), path('link'))
      const before = readdirSync(path('.'))

      const work = stampFiles(PLAN, { inputs: [path('a.ndjson'), path('b.ndjson')], output: `${path('.')}/${output}` })

      await expect(work).rejects.toMatchObject({
        code: 'OPTION_INVALID',
        message: expect.stringContaining('would grow with every run')
      })
      expect(readFileSync(path('a.ndjson'), 'utf8')).toBe(LINE)
      expect(readdirSync(path('.'))).toEqual(before)
    }
  )

  test('is refused if it is an open stream, even if the file is the only input', async () => {
    writeFileSync(path('a.ndjson'), LINE)
    const fd = openSync(path('a.ndjson'), 'a')
    const output = createWriteStream('unused', { fd })

    const work = stampFiles(PLAN, { inputs: [path('a.ndjson')], output })

    await expect(work).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringContaining('read while it is written')
    })
    output.destroy()
    expect(readFileSync(path('a.ndjson'), 'utf8')).toBe(LINE)
  })

  test.each([
    ['in.csv', 'in.csv', {}],
    ['in.csv', 'out.csv.gz', {}],
    ['in.txt', 'in.txt', { form: 'csv' }]
  ] as const)(
    'is refused if the input %s is CSV and the output %s would contain JSON',
    async (input, output, options) => {
      writeFileSync(path(input), 'deviceId\na\n')

      const work = stampFiles(PLAN, { inputs: [path(input)], output: path(output), ...options })

      await expect(work).rejects.toMatchObject({
        code: 'OPTION_INVALID',
        message: expect.stringContaining('would hold JSON')
      })
      expect(readFileSync(path(input), 'utf8')).toBe('deviceId\na\n')
      expect(readdirSync(path('.'))).toEqual([input])
    }
  )
})
