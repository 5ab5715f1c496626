import { readFileSync, writeFileSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stampFiles } from '../../src/stamp/stamp-files.ts'
import type { StampFilesOptions } from '../../src/stamp/stamp-files-options.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const PLAN = { into: '/pk', from: [{ field: '/device' }] } as const

describe('stampFiles with CSV', () => {
  const path = useTemporaryFolder()

  test('recognizes a .csv file by its name, and reads values as strings and an empty value as a missing field', async () => {
    writeFileSync(path('in.csv'), 'device,n,at\na,007,\nb,,"x, ""y""\nz"\n')

    const counts = await stampFiles(PLAN, { inputs: [path('in.csv')], output: path('out.ndjson') })

    expect(counts).toMatchObject({ records: 2, rejected: 0 })
    expect(readFileSync(path('out.ndjson'), 'utf8')).toBe(
      '{"device":"a","n":"007","pk":"a"}\n{"device":"b","at":"x, \\"y\\"\\nz","pk":"b"}\n'
    )
  })

  test('reads CSV with another delimiter from a stream or a compressed file, and writes an array', async () => {
    writeFileSync(path('in.csv.gz'), gzipSync('device;n\na;1\n'))

    expect(await stampText('device\tn\na\t1\n', { form: 'csv', delimiter: 'tab' })).toBe(
      '{"device":"a","n":"1","pk":"a"}\n'
    )
    await stampFiles(PLAN, { inputs: [path('in.csv.gz')], output: path('out.json'), delimiter: ';', to: 'array' })
    expect(JSON.parse(readFileSync(path('out.json'), 'utf8'))).toEqual([{ device: 'a', n: '1', pk: 'a' }])
  })

  test('skips a byte order mark, blank lines and carriage returns, however the input is divided into chunks', async () => {
    const text = '\uFEFFdevice,n\r\n\r\na,"1\r\n2"\r\n\r\nb,ü\r\n'
    const bytes = Buffer.from(text)
    for (const size of [1, 2, 3, 7, 100]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size)
      )

      expect(await stampText(pieces, { form: 'csv' })).toBe(
        '{"device":"a","n":"1\\r\\n2","pk":"a"}\n{"device":"b","n":"ü","pk":"b"}\n'
      )
    }
  })

  test('reports file, line and byte of a rejected record, even after values of several lines and in small chunks', async () => {
    const value = fc.constantFrom('a', '"x\ny"', '"\n"', '"\r\n,"', 'ü', '"""\n"')
    const row = fc.tuple(value, value, fc.constantFrom('\n', '\r\n', '\n\n'))
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 12 }), fc.integer({ min: 1, max: 40 }), async (rows, size) => {
        const before = `device,n\n${rows.map(([one, two, end]) => `${one},${two}${end}`).join('')}`
        const bytes = Buffer.from(`${before},no device\nb,2\n`)
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
          bytes.subarray(n * size, (n + 1) * size)
        )
        const rejected: unknown[] = []

        await stampText(pieces, { form: 'csv', onError: ({ line, byte }) => rejected.push({ line, byte }) })

        expect(rejected).toEqual([{ line: before.split('\n').length, byte: Buffer.byteLength(before) }])
      })
    )
  })

  test('rejects a record with another number of columns and an oversized record, and continues', async () => {
    writeFileSync(path('in.csv'), `device,n\na\nb,1,2\nc,${'x'.repeat(100)}\nd,1\n`)

    const counts = await stampFiles(PLAN, {
      inputs: [path('in.csv')],
      output: path('out.ndjson'),
      onError: { collect: path('bad.ndjson') },
      maxRecordBytes: 80
    })

    expect(counts).toMatchObject({ records: 4, byCode: { CSV_COLUMNS: 2, JSON_TOO_LARGE: 1 } })
    const rejected = readFileSync(path('bad.ndjson'), 'utf8').trim().split('\n')
    expect(rejected.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        line: 2,
        message: expect.stringContaining(
          `in.csv: The record has another number of columns than the header line: 1 instead of 2.`
        )
      },
      { line: 3, record: '{"device":"b","n":"1","column 3":"2"}' },
      { line: 4, code: 'JSON_TOO_LARGE' }
    ])
  })

  test('rejects a value that is not UTF-8 instead of changing it', async () => {
    const counts = await stampFiles(PLAN, {
      inputs: [Readable.from([Buffer.from('device,n\na,'), Buffer.from([0xff, 0x0a])], { objectMode: false })],
      output: new PassThrough(),
      form: 'csv',
      onError: 'skip'
    })

    expect(counts.byCode).toEqual({ JSON_INVALID: 1 })
  })

  test('reports that a file in Windows-1252 is not UTF-8, and how to convert it', async () => {
    const messages: string[] = []
    const onError = ({ message }: { message: string }) => messages.push(message)
    const sentence =
      'not UTF-8. Convert the file to UTF-8 in a pipe, for example from Windows-1252: iconv -f WINDOWS-1252 -t UTF-8.'

    expect(
      await stampText([Buffer.from('device,n\ncafé,1\nü,2\n', 'latin1'), Buffer.from('ü,3\n')], {
        form: 'csv',
        onError
      })
    ).toBe('{"device":"ü","n":"3","pk":"ü"}\n')
    expect(messages).toEqual([
      `Line 2, byte 9 of the input: The record is ${sentence}`,
      `Line 3, byte 16 of the input: The record is ${sentence}`
    ])
    await expect(
      stampText([Buffer.from('device,größe\na,1\n', 'latin1')], { form: 'csv', onError: 'skip' })
    ).rejects.toThrow(`Line 1 of the input: the header line is ${sentence}`)
  })

  test.each([
    [
      'a quote without a closing quote',
      'device,n\na,1\nb,"2\n',
      'Line 3 of the input: a value begins with a quote, and the closing quote is missing.'
    ],
    ['text after a quote', 'device,n\na,"1"2\n', 'Line 2 of the input: a quoted value is followed by something'],
    ['a quote inside a value', 'device,n\na,5"\n', 'Line 2 of the input: a quote is in the middle of a value.'],
    ['a column without a name', 'device,\na,1\n', 'Line 1 of the input: column 2 of the header line has no name.'],
    [
      'two columns with the same name',
      'device,n,device\na,1,2\n',
      'Line 1 of the input: columns 1 and 3 of the header line have the same name.'
    ],
    [
      'lines that end in a carriage return only',
      'device,n\ra,1\r',
      'Line 1 of the input: the name of column 2 holds a carriage return.'
    ],
    [
      'another delimiter',
      'device;n\na;1\n',
      'Line 1 of the input: the header line has only one column, which contains ";": read it with `delimiter: ";"`.'
    ],
    ['JSON', '{"device":"a"}\n', 'The input is JSON, not CSV: leave out `form: "csv"`.']
  ])('reports the line of an error for %s', async (_what, text, sentence) => {
    const work = stampText(text, { form: 'csv' })

    await expect(work).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    await expect(work).rejects.toThrow(sentence)
  })

  test('does not read the whole input into memory if a quote is missing', async () => {
    const stream = Readable.from(endless(), { objectMode: false })

    await expect(stampFiles(PLAN, { inputs: [stream], output: new PassThrough(), form: 'csv' })).rejects.toThrow(
      'Line 2 of the input: the record is longer than 16777216 bytes. Is a quote missing that ends a value?'
    )
  })

  test.each([
    [{ delimiter: ',' }, '`delimiter` needs CSV'],
    [{ form: 'csv', delimiter: '"' }, '`delimiter` must be one character'],
    [{ form: 'csv', delimiter: ',,' }, '`delimiter` must be one character'],
    [{ form: 'csv', pick: 'a' }, '`pick` needs'],
    [{ form: 'CSV' }, '`form` must be "lines", "array" or "csv".'],
    [{ inputs: ['a.csv', 'b.ndjson'] }, 'Some inputs are CSV by their names, and others are not.']
  ])('refuses %j', async (options, sentence) => {
    await expect(stampText('', options as never)).rejects.toThrow(sentence)
  })
})

async function stampText(pieces: string | readonly Buffer[], options: Partial<StampFilesOptions>): Promise<string> {
  const chunks = typeof pieces === 'string' ? [Buffer.from(pieces)] : pieces
  const output = new PassThrough({ highWaterMark: 1 << 20 })
  await stampFiles(PLAN, { inputs: [Readable.from(chunks, { objectMode: false })], output, ...options })
  return String(output.read() ?? '')
}

function* endless(): Generator<Buffer> {
  yield Buffer.from('device,n\na,"')
  for (;;) yield Buffer.alloc(1 << 20, 'x\n')
}
