import { Readable, Writable } from 'node:stream'
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { stampFiles } from '../../src/stamp/stamp-files.ts'
import type { StampFilesOptions } from '../../src/stamp/stamp-files-options.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const PLAN = { into: '/pk', from: [{ field: '/device' }] } as const
const LINE = '{"device":"a"}\n'

describe('an input in another format than expected', () => {
  const path = useTemporaryFolder()

  test.each<[string, string | Buffer, string]>([
    [
      'an array',
      '[{"device":"a"},\n {"device":"b"}]\n',
      'is a JSON array, not lines of JSON: read it with `form: "array"`.'
    ],
    ['an array on one line', `\uFEFF\n[${LINE.trim()}]`, 'is a JSON array'],
    [
      'a pretty-printed record',
      '{\n  "device": "a"\n}\n',
      'is a JSON document over several lines. Write each record on one line'
    ],
    ['a document with an array', '{"data":[\n{"device":"a"},\n', 'with `pick: "a.b"`.'],
    ['CSV', 'device,n\na,1\n', 'looks like CSV, not lines of JSON: read it with `form: "csv"`.'],
    ['CSV of one line', '"device","n"\n', 'looks like CSV'],
    ['CSV with semicolons', 'device;n\na;1\n', 'read it with `form: "csv"` and `delimiter: ";"`.'],
    ['CSV with tabs', 'device\tn\na\t1\n', 'read it with `form: "csv"` and `delimiter: "tab"`.'],
    [
      'gzip',
      gzipSync(LINE),
      'is compressed with gzip: let the name end in .gz, or decompress it in a pipe with gzip -dc.'
    ],
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4]), 'is compressed with zstd: let the name end in .zst, or'],
    [
      'UTF-16 with a byte order mark',
      Buffer.from(`\uFEFF${LINE}`, 'utf16le'),
      'is text in UTF-16LE. JSON and CSV must be UTF-8'
    ],
    ['UTF-16 without one', Buffer.from(LINE, 'utf16le').swap16(), 'is text in UTF-16BE'],
    ['a workbook', Buffer.from('PK\u0003\u0004rest'), 'is a ZIP archive or an Excel file, not text.'],
    ['Parquet', Buffer.from('PAR1\u0015\u0004'), 'is a Parquet file, not text.']
  ])('is recognized by its first bytes: %s', async (_what, content, sentence) => {
    writeFileSync(path('in.txt'), content)

    // even with `onError: skip`, which would skip all records
    const work = stampFiles(PLAN, { inputs: [path('in.txt')], output: nowhere(), onError: 'skip' })

    await expect(work).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    await expect(work).rejects.toThrow(sentence)
  })

  test('is reported for a stream without a name', async () => {
    const inputs = [Readable.from([gzipSync(LINE)], { objectMode: false })]

    await expect(stampFiles(PLAN, { inputs, output: nowhere() })).rejects.toThrow(
      'The input is compressed with gzip: decompress it in a pipe with gzip -dc.'
    )
  })

  test.each<[string, string, Partial<StampFilesOptions>, number]>([
    ['a first line that is an array', `[1,2]\n${LINE}`, {}, 1],
    ['a comment as the first line', `# made by a program, today\n${LINE}`, {}, 1],
    ['an incomplete first line', `{"device":"a",\n${LINE}`, {}, 1],
    ['a header of text that begins as Parquet does', 'PAR1,device\n1,a\n', { form: 'csv' }, 0],
    ['an array, as an array', `[${LINE}]`, { form: 'array' }, 0],
    ['one string with a comma', '"a, b"\n', {}, 1]
  ])('is not reported for %s', async (_what, content, options, rejected) => {
    const inputs = [Readable.from([Buffer.from(content)], { objectMode: false })]

    expect(await stampFiles(PLAN, { inputs, output: nowhere(), onError: 'skip', ...options })).toMatchObject({
      rejected
    })
  })
})

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
