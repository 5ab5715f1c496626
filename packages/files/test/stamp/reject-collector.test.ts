import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { stampFiles } from '../../src/stamp/stamp-files.ts'
import { openCollectTarget } from '../../src/stamp/reject-collector.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }] } as const
const INPUT = '{"x":1}\n{"deviceId":"a"}\n'
const STAMPED = '{"deviceId":"a","partitionKey":"a"}\n'

describe('the file of rejected records', () => {
  const path = useTemporaryFolder()

  function write(files: Readonly<Record<string, string>>): void {
    mkdirSync(path('deep'))
    for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text)
    symlinkSync(path('in.ndjson'), path('input-link'))
    symlinkSync(path('gone'), path('dangling'))
    symlinkSync(path('deep'), path('folder-link'))
  }

  // on Windows only an administrator may create links
  test.skipIf(process.platform === 'win32').each([
    ['in.ndjson', 'out.ndjson', 'is one of the inputs'],
    ['deep/../in.ndjson', 'out.ndjson', 'is one of the inputs'],
    ['input-link', 'out.ndjson', 'is one of the inputs'],
    ['in.ndjson', 'in.ndjson', 'is also the output'],
    ['old.ndjson', 'out.ndjson', 'exists already'],
    ['dangling', 'out.ndjson', 'exists already'],
    ['old.ndjson', 'old.ndjson', 'is also the output'],
    ['new.ndjson', 'new.ndjson', 'is also the output'],
    ['deep/../new.ndjson', 'new.ndjson', 'is also the output'],
    ['folder-link/new.ndjson', 'deep/new.ndjson', 'is also the output'],
    ['gone', 'dangling', 'is also the output']
  ])('is refused under the name %s with the output %s, because it %s', async (collect, output, sentence) => {
    write({ 'in.ndjson': INPUT, 'other.ndjson': INPUT, 'old.ndjson': 'old' })
    const before = readdirSync(path('.'), { recursive: true, encoding: 'utf8' })

    const work = stampFiles(PLAN, {
      inputs: [path('other.ndjson'), path('in.ndjson')],
      output: `${path('.')}/${output}`,
      onError: { collect: `${path('.')}/${collect}` }
    })

    await expect(work).rejects.toMatchObject({ code: 'OPTION_INVALID', message: expect.stringContaining(sentence) })
    expect(new Set(readdirSync(path('.'), { recursive: true, encoding: 'utf8' }))).toEqual(new Set(before))
    expect(readFileSync(path('in.ndjson'), 'utf8')).toBe(INPUT)
    expect(readFileSync(path('old.ndjson'), 'utf8')).toBe('old')
  })

  test('does not prevent stamping an input in place', async () => {
    writeFileSync(path('a.ndjson'), INPUT)

    await stampFiles(PLAN, {
      inputs: [path('a.ndjson')],
      output: path('a.ndjson'),
      onError: { collect: path('bad.ndjson') }
    })

    expect(readFileSync(path('a.ndjson'), 'utf8')).toBe(STAMPED)
    expect(readFileSync(path('bad.ndjson'), 'utf8').trim().split('\n')).toHaveLength(1)
  })

  test.runIf(process.platform !== 'win32')('can be read only by its owner', async () => {
    writeFileSync(path('in.ndjson'), INPUT)

    await stampFiles(PLAN, {
      inputs: [path('in.ndjson')],
      output: path('out.ndjson'),
      onError: { collect: path('bad.ndjson') }
    })

    expect(statSync(path('bad.ndjson')).mode & 0o777).toBe(0o600)
  })

  test('is compressed if the extension of its name says so', async () => {
    writeFileSync(path('in.ndjson'), INPUT)

    await stampFiles(PLAN, {
      inputs: [path('in.ndjson')],
      output: path('out.ndjson'),
      onError: { collect: path('bad.gz') }
    })

    expect(JSON.parse(gunzipSync(readFileSync(path('bad.gz'))).toString())).toMatchObject({
      line: 1,
      record: '{"x":1}'
    })
  })

  test('keeps the records from before an abort, and no other file is left', async () => {
    const abort = new AbortController()
    const input = new PassThrough()
    input.write(INPUT)

    const work = stampFiles(PLAN, {
      inputs: [input],
      output: path('out.ndjson'),
      onError: { collect: path('bad.ndjson') },
      signal: abort.signal,
      progressEveryMs: 1,
      onProgress: ({ rejected }) => {
        if (rejected > 0) abort.abort()
      }
    })
    // progress is reported only when something is read
    const blankLines = setInterval(() => input.write('\n'), 5)

    await expect(work).rejects.toMatchObject({ name: 'AbortError' })
    clearInterval(blankLines)
    expect(readdirSync(path('.'))).toEqual(['bad.ndjson'])
    expect(JSON.parse(readFileSync(path('bad.ndjson'), 'utf8'))).toMatchObject({ line: 1 })
  })

  test.runIf(process.platform === 'linux')(
    'ends the work with an error if its disk is full, and the old output stays in place',
    async () => {
      writeFileSync(path('in.ndjson'), INPUT)

      const work = stampFiles(PLAN, {
        inputs: [path('in.ndjson')],
        output: path('in.ndjson'),
        onError: { collect: '/dev/full' }
      })

      await expect(work).rejects.toThrow('/dev/full cannot be written: the disk is full.')
      expect(readFileSync(path('in.ndjson'), 'utf8')).toBe(INPUT)
      expect(readdirSync(path('.'))).toEqual(['in.ndjson'])
    }
  )

  test.each([
    ['only the complete lines', '{"line":1}\n{"line":2}\n{"li', ['{"line":1}\n{"line":2}\n']],
    ['all lines if all are complete', '{"line":1}\n', ['{"line":1}\n']],
    ['only the lines before a very long incomplete line', `{"line":1}\n${'x'.repeat(300_000)}`, ['{"line":1}\n']],
    ['no file without a complete line', '{"li', []],
    ['no file without collected records', '', []]
  ])('contains %s after a failure', async (_what, text, kept) => {
    const target = await openCollectTarget(path('bad.ndjson'), { inputs: [], output: path('out.ndjson') })
    await target.file.write(text)

    await target.abandon()

    expect(readdirSync(path('.')).map((name) => readFileSync(path(name), 'utf8'))).toEqual(kept)
  })
})
