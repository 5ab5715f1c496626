import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { KeystampError } from '@keystamp/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stampFiles } from '../../src/stamp/stamp-files.ts'
import type { StampFilesOptions } from '../../src/stamp/stamp-files-options.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const PLAN = { into: '/key', from: [{ field: '/deviceId' }], suffix: { by: '/id', count: 20, labels: 'even' } } as const
const BOM = '\u{FEFF}'
const MAX_RECORD_BYTES = 4000

/** Lines of all kinds, of which some are longer than a block, and some are too long. */
const line = fc.oneof(
  { weight: 8, arbitrary: fc.nat(999).map((id) => `{"deviceId":"d-${id % 7}","id":${id}}`) },
  fc.constantFrom('', '  ', '\r', '{"id":1}', '{"deviceId":"é","id":2}\r', 'no JSON', `${BOM}{"deviceId":"b","id":3}`),
  fc.integer({ min: 1500, max: 5000 }).map((length) => `{"deviceId":"d","id":4,"text":"${'x'.repeat(length)}"}`)
)
const input = fc
  .record({ lines: fc.array(line, { maxLength: 120 }), isEnded: fc.boolean() })
  .map(({ lines, isEnded }) => lines.join('\n') + (isEnded ? '\n' : ''))
const policy = fc.constantFrom<Partial<StampFilesOptions>>(
  { onError: 'skip' },
  { onError: 'throw' },
  { onError: 'skip', maxRejected: 3 },
  { onError: 'skip', maxRejected: '40%' }
)

describe('stampFiles with threads', () => {
  const path = useTemporaryFolder()

  test('writes the same output, counts and rejected records as without', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(input, { minLength: 1, maxLength: 2 }),
        policy,
        fc.boolean(),
        async (texts, options, collects) => {
          const inputs = texts.map((text, number) => {
            const name = path(`${number}.ndjson`)
            writeFileSync(name, text)
            return name
          })
          const [without, withThreads] = [await resultOf(inputs, options, 0), await resultOf(inputs, options, 2)]
          expect(withThreads).toEqual(without)
          if (!collects) return
          const collect = { onError: { collect: path('rejected') } }
          expect(await resultOf(inputs, collect, 2)).toEqual(await resultOf(inputs, collect, 0))
        }
      ),
      { numRuns: 12 }
    )
  }, 120_000)

  test('takes no byte order mark at the beginning of a later block for that of the input', async () => {
    // a block of 1,024 bytes
    const first = `{"deviceId":"a","id":1,"text":"${'x'.repeat(990)}"}\n`
    writeFileSync(path('in.ndjson'), `${first}${BOM}{"deviceId":"b","id":2}\n`)
    expect(first).toHaveLength(1024)

    expect(await resultOf([path('in.ndjson')], { onError: 'skip' }, 1)).toMatchObject({ counts: { rejected: 1 } })
  })

  test('reads compressed files, and writes to a stream', async () => {
    const text = Array.from({ length: 5000 }, (_, id) => `{"deviceId":"d-${id % 9}","id":${id}}\n`).join('')
    writeFileSync(path('in.ndjson.gz'), gzipSync(text))
    const outputs = await Promise.all(
      [0, 3].map(async (threads) => {
        const output = new PassThrough({ highWaterMark: 2 ** 24 })
        const counts = await stampFiles(PLAN, { inputs: [path('in.ndjson.gz')], output, threads, chunkBytes: 4096 })
        return { counts, text: String(output.read()) }
      })
    )

    expect(outputs[1].text).toBe(outputs[0].text)
    expect(outputs[1].counts).toEqual({ ...outputs[0].counts, bytesIn: text.length })
  })

  test.each([
    ['a function', () => 'key', { into: '/key' }, 'cannot be given to a thread'],
    ['an array', PLAN, { form: 'array' }, 'needs lines of JSON'],
    ['numbers of the caller', PLAN, { random: Math.random }, 'each has numbers of its own'],
    ['too many of them', PLAN, { threads: 65 }, 'from 0 to 64']
  ] as const)('refuses %s', async (_name, source, options, sentence) => {
    writeFileSync(path('in.ndjson'), '')
    const stamping = stampFiles(source, { inputs: [path('in.ndjson')], output: path('out'), threads: 2, ...options })
    await expect(stamping).rejects.toThrow(sentence)
  })

  /** Output, counts and rejected records; or the message of the error. */
  async function resultOf(
    inputs: readonly string[],
    options: Partial<StampFilesOptions>,
    threads: number
  ): Promise<object> {
    const output = path('out.ndjson')
    rmSync(output, { force: true })
    rmSync(path('rejected'), { force: true })
    try {
      const counts = await stampFiles(PLAN, {
        inputs,
        output,
        threads,
        chunkBytes: 512,
        maxRecordBytes: MAX_RECORD_BYTES,
        ...options
      })
      const rejected = options.onError === 'skip' ? '' : readText(path('rejected'))
      return { counts, output: readFileSync(output, 'utf8'), rejected }
    } catch (error) {
      return { code: (error as KeystampError).code, message: (error as Error).message }
    }
  }
})

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
