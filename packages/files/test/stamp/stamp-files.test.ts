import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createTelemetry } from '@keystamp/testkit'
import { describe, expect, test } from 'vitest'
import type { FileProgress } from '../../src/stamp/stamp-files-options.ts'
import { stampFiles } from '../../src/stamp/stamp-files.ts'
import { stampLinesStage } from '@keystamp/stream'
import { useTemporaryFolder } from '../temporary-folder.ts'

const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }] } as const
const LINE = '{"deviceId":"a"}\n'
const STAMPED = '{"deviceId":"a","partitionKey":"a"}\n'

// size of a sparse file
const MORE_THAN_ANY_DISK = 2 ** 42

describe('stampFiles', () => {
  const path = useTemporaryFolder()
  test('writes the same output as `stampLinesStage` without files, for any chunk size', async () => {
    const telemetry = createTelemetry(3)
    const input = Array.from({ length: 500 }, () => `${JSON.stringify(telemetry.big())}\n`).join('')
    const plan = { ...PLAN, existing: 'overwrite' } as const
    writeFileSync(path('in.ndjson'), input)

    for (const chunkBytes of [700, 4096, 1 << 20]) {
      const counts = await stampFiles(plan, { inputs: [path('in.ndjson')], output: path('out.ndjson'), chunkBytes })

      expect(counts).toMatchObject({ records: 500, rejected: 0, bytesIn: Buffer.byteLength(input) })
      expect(readFileSync(path('out.ndjson')).equals(stampLinesStage(plan)(Buffer.from(input)) as Buffer)).toBe(true)
    }
  })

  test('reads and writes gzip if the name of the file ends in .gz', async () => {
    writeFileSync(path('in.ndjson.gz'), gzipSync(LINE.repeat(1000)))

    await stampFiles(PLAN, { inputs: [path('in.ndjson.gz')], output: path('out.gz') })

    expect(gunzipSync(readFileSync(path('out.gz'))).toString()).toBe(STAMPED.repeat(1000))
  })

  test('reads several inputs one after the other, and names the input in which an error occurs', async () => {
    writeFileSync(path('a.ndjson'), LINE.trimEnd())
    writeFileSync(path('b.ndjson'), `${LINE}{"x":1}\n`)

    await stampFiles(PLAN, { inputs: [path('a.ndjson'), path('a.ndjson')], output: path('out.ndjson') })
    const work = stampFiles(PLAN, { inputs: [path('a.ndjson'), path('b.ndjson')], output: path('out2.ndjson') })

    await expect(work).rejects.toThrow(
      `Line 2, byte 17 of ${path('b.ndjson')}: A field of the key is missing: /deviceId.`
    )
    expect(readFileSync(path('out.ndjson'), 'utf8')).toBe(STAMPED + STAMPED)
  })

  test('reads from and writes to streams, and does not end the output stream', async () => {
    const output = new PassThrough()

    await stampFiles(PLAN, {
      inputs: [Readable.from([LINE.slice(0, 5), LINE.slice(5)], { objectMode: false })],
      output
    })

    expect(output.writableEnded).toBe(false)
    expect(String(output.read())).toBe(STAMPED)
  })

  test('creates no new file, and keeps the old file unchanged, if it fails', async () => {
    writeFileSync(path('in.ndjson'), `${LINE}{`)
    writeFileSync(path('out.ndjson'), 'old')

    await expect(stampFiles(PLAN, { inputs: [path('in.ndjson')], output: path('new.ndjson') })).rejects.toThrow(
      'Line 2'
    )
    await expect(stampFiles(PLAN, { inputs: [path('in.ndjson')], output: path('out.ndjson') })).rejects.toThrow(
      'Line 2'
    )

    expect(readdirSync(path('.')).toSorted()).toEqual(['in.ndjson', 'out.ndjson'])
    expect(readFileSync(path('out.ndjson'), 'utf8')).toBe('old')
  })

  test.skipIf(process.platform === 'win32')(
    'replaces the file that a link points to, even if this file is the input, and keeps its permissions',
    async () => {
      writeFileSync(path('data.ndjson'), LINE)
      chmodSync(path('data.ndjson'), 0o640)
      symlinkSync(path('data.ndjson'), path('link.ndjson'))

      await stampFiles(PLAN, { inputs: [path('data.ndjson')], output: path('link.ndjson') })

      expect(lstatSync(path('link.ndjson')).isSymbolicLink()).toBe(true)
      expect(readFileSync(path('data.ndjson'), 'utf8')).toBe(STAMPED)
      expect(statSync(path('data.ndjson')).mode & 0o777).toBe(0o640)
    }
  )

  test('writes rejected records to a separate file, even if `maxRejected` ends the work', async () => {
    writeFileSync(path('in.ndjson'), `{"x":1}\n${LINE}{"x":2}\n`)

    const counts = await stampFiles(PLAN, {
      inputs: [path('in.ndjson')],
      output: path('out.ndjson'),
      onError: { collect: path('bad.ndjson') }
    })
    const work = stampFiles(PLAN, {
      inputs: [path('in.ndjson')],
      output: path('out2.ndjson'),
      onError: { collect: path('bad2.ndjson') },
      maxRejected: 1
    })

    await expect(work).rejects.toMatchObject({ code: 'REJECTED_TOO_MANY' })
    expect(counts).toMatchObject({ records: 3, rejected: 2, byCode: { FIELD_MISSING: 2 } })
    const rejected = readFileSync(path('bad.ndjson'), 'utf8').trim().split('\n')
    expect(rejected.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { line: 1, byte: 0, code: 'FIELD_MISSING', path: '/deviceId', record: '{"x":1}' },
      { line: 3, byte: 25, code: 'FIELD_MISSING', path: '/deviceId', record: '{"x":2}' }
    ])
    expect(readFileSync(path('bad2.ndjson'), 'utf8')).toBe(readFileSync(path('bad.ndjson'), 'utf8'))
  })

  test.each([
    ['a file that does not exist', 'nope.ndjson', 'INPUT_UNREADABLE', 'there is no such file'],
    ['a folder', '.', 'INPUT_UNREADABLE', 'it is a folder'],
    ['a broken gzip', 'broken.gz', 'INPUT_INVALID', 'it is damaged'],
    ['a gzip that ends too early', 'short.gz', 'INPUT_INVALID', 'it ends before it is complete']
  ])('throws a clear error for %s', async (_what, name, code, sentence) => {
    writeFileSync(path('broken.gz'), LINE)
    writeFileSync(path('short.gz'), gzipSync(LINE.repeat(1e4)).subarray(0, -20))

    const work = stampFiles(PLAN, { inputs: [path(name)], output: path('out.ndjson') })

    await expect(work).rejects.toMatchObject({ code })
    await expect(work).rejects.toThrow(sentence)
  })

  test.each([undefined, 'throw'] as const)(
    'throws before it starts if the disk has too little free space for the lines, with onError %s',
    async (onError) => {
      writeFileSync(path('in.ndjson'), LINE)
      truncateSync(path('in.ndjson'), MORE_THAN_ANY_DISK)

      const work = stampFiles(PLAN, { inputs: [path('in.ndjson')], output: path('out.ndjson'), onError })

      await expect(work).rejects.toMatchObject({ code: 'OUTPUT_UNWRITABLE' })
      await expect(work).rejects.toThrow(
        /out\.ndjson cannot be written: the input has 4398046511104 bytes, and the disk has room for \d+\.$/
      )
      expect(readdirSync(path('.'))).toEqual(['in.ndjson'])
    }
  )

  test.each([{ onError: 'skip' }, { form: 'array' }] as const)(
    'does not check the free space of the disk if the output may be smaller than the input: %j',
    async (options) => {
      // an array may be mostly whitespace, lines may be mostly rejected
      writeFileSync(path('in.json'), '[{"deviceId":"a"}\n')
      truncateSync(path('in.json'), MORE_THAN_ANY_DISK)

      const work = stampFiles(PLAN, {
        inputs: [path('in.json')],
        output: path('out'),
        signal: AbortSignal.timeout(0),
        ...options
      })

      await expect(work).rejects.not.toMatchObject({ code: 'OUTPUT_UNWRITABLE' })
    }
  )

  test.runIf(process.platform === 'linux')('throws at once if the disk is full', async () => {
    writeFileSync(path('in.ndjson'), LINE.repeat(1e5))

    const work = stampFiles(PLAN, { inputs: [path('in.ndjson')], output: '/dev/full' })

    await expect(work).rejects.toThrow('/dev/full cannot be written: the disk is full.')
  })

  test('stops when the signal aborts, even while it waits for an input', async () => {
    const abort = new AbortController()
    const input = new PassThrough()
    input.write(LINE)

    const work = stampFiles(PLAN, { inputs: [input], output: path('out.ndjson'), signal: abort.signal })
    setTimeout(() => abort.abort(), 20)

    await expect(work).rejects.toMatchObject({ name: 'AbortError' })
    expect(readdirSync(path('.'))).toEqual([])
  })

  test('reports progress from the first byte to the last byte', async () => {
    writeFileSync(path('in.ndjson'), LINE.repeat(1000))
    const told: FileProgress[] = []
    let time = 0

    await stampFiles(PLAN, {
      inputs: [path('in.ndjson')],
      output: path('out.ndjson'),
      chunkBytes: 1000,
      now: () => (time += 400),
      onProgress: (progress) => told.push(progress)
    })

    expect(told.length).toBeGreaterThan(3)
    expect(told.at(-1)).toMatchObject({ records: 1000, bytesRead: 17_000, bytesTotal: 17_000 })
    expect(told[0]?.bytesRead).toBeLessThan(17_000)
    expect(told[0]?.recordsPerSecond).toBeGreaterThan(0)
  })

  test('stamps arrays from several files into one array', async () => {
    writeFileSync(path('a.json'), '[{"deviceId":"a"}]')
    writeFileSync(path('b.json'), '[\n{"deviceId":"b"}, 5]')

    const counts = await stampFiles(PLAN, {
      inputs: [path('a.json'), path('b.json')],
      output: path('out.json'),
      form: 'array',
      to: 'array',
      onError: 'skip'
    })

    expect(counts).toMatchObject({ records: 3, rejected: 1 })
    expect(JSON.parse(readFileSync(path('out.json'), 'utf8'))).toEqual([
      { deviceId: 'a', partitionKey: 'a' },
      { deviceId: 'b', partitionKey: 'b' }
    ])
  })

  test.each([
    [{ onErorr: 'skip' }, 'The option `onErorr` is not known here'],
    [{ inputs: [] }, '`inputs` must name at least one file or stream.'],
    [{ form: 'xml' }, '`form` must be "lines", "array" or "csv".'],
    [{ pick: 'a' }, '`pick` needs `form: "array"`.'],
    [{ form: 'array', to: 'csv' }, '`to` must be "lines" or "array".'],
    [{ form: 'array', pick: '' }, '`pick` must be property names'],
    [{ chunkBytes: 1 }, '`chunkBytes` must be a whole number'],
    [{ maxRecordBytes: 0 }, '`maxRecordBytes` must be a whole number'],
    [{ maxRejected: 'few' }, '`maxRejected` must be a whole number']
  ])('throws for the options %j and leaves no file', async (options, message) => {
    writeFileSync(path('in'), '')
    const work = stampFiles(PLAN, { inputs: [path('in')], output: path('out'), ...(options as object) })

    await expect(work).rejects.toThrow(message)
    expect(readdirSync(path('.'))).toEqual(['in'])
  })

  test('leaves no file for rejected records if the output cannot be opened', async () => {
    writeFileSync(path('in'), '')
    const work = stampFiles(PLAN, { inputs: [path('in')], output: path('none/out'), onError: { collect: path('bad') } })

    await expect(work).rejects.toMatchObject({ code: 'OUTPUT_UNWRITABLE' })
    expect(readdirSync(path('.')).toSorted()).toEqual(['in'])
  })
})
