import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const KEYSTAMP = fileURLToPath(new URL('../../packages/cli/bin/keystamp.mjs', import.meta.url))
const HERE = fileURLToPath(new URL('.', import.meta.url))
const LINE = '{"deviceId":"a"}\n'

/** Peak of the memory of a process. On Linux, its resource usage begins with the memory of the process that started it. */
const PEAK_MB = `
  import { readFileSync } from 'node:fs'
  function peakMb() {
    if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024
    return Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
  }`

// These tests run the built packages in new processes, as users do.
describe('the built packages', () => {
  let folder = ''

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keystamp-'))
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('can be required from CommonJS', () => {
    const program = `
      const { stampStage } = require('@keystamp/stream')
      const stage = stampStage({ into: '/pk', from: [{ field: '/id' }] })
      console.log(JSON.stringify(stage({ id: 'a' })))`

    const said = execFileSync(process.execPath, ['-e', program], {
      cwd: HERE,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore']
    })

    expect(said.trim()).toBe('{"id":"a","pk":"a"}')
  })

  test.each([['of browsers', ['ES2023', 'DOM', 'DOM.AsyncIterable']] as const, ['of Node', ['ES2023']] as const])(
    'have types that fit the Web Streams of the library %s',
    (_whose, lib) => {
      const packages = fileURLToPath(new URL('../../packages/', import.meta.url))
      const compilerOptions = {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        module: 'NodeNext',
        lib,
        types: ['node'],
        typeRoots: [join(packages, '../node_modules/@types')],
        paths: { '@keystamp/stream': [join(packages, 'stream/dist/index.d.ts')] }
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }))
      writeFileSync(
        join(folder, 'program.mts'),
        `import { stampLinesStage, toWebTransform } from '@keystamp/stream'
        export function stamped(bytes: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
          return bytes.pipeThrough(toWebTransform(stampLinesStage({ into: '/pk', from: [{ field: '/id' }] })))
        }`
      )

      const { status, stdout } = spawnSync(join(packages, '../node_modules/.bin/tsc'), ['-p', folder], {
        encoding: 'utf8'
      })

      expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    }
  )

  test.each(['lines', 'array'])('stamp a large input of %s with memory that does not grow with the input', (form) => {
    const program = `
      import { Readable, Writable } from 'node:stream'
      import { pipeline } from 'node:stream/promises'
      import { stampArray, stampLines } from '@keystamp/stream'
      const [form, megabytes] = process.argv.slice(1)
      const plan = { into: '/pk', from: [{ field: '/id' }] }
      const record = JSON.stringify({ id: 'a', text: 'x'.repeat(1000) }) + (form === 'array' ? ',' : '\\n')
      const chunk = Buffer.from(record.repeat(64))
      let left = Math.ceil((Number(megabytes) * 1e6) / chunk.length)
      const source = new Readable({
        read() {
          setImmediate(() => this.push(left-- > 0 ? chunk : left === -1 && form === 'array' ? '{"id":"b"}]' : null))
        }
      })
      if (form === 'array') source.push('[')
      const sink = new Writable({ write: (_chunk, _encoding, callback) => setImmediate(callback) })
      await pipeline(source, form === 'array' ? stampArray(plan) : stampLines(plan), sink)
      console.log(peakMb())
      ${PEAK_MB}`
    const peakMb = (megabytes: number): number =>
      Number(
        execFileSync(process.execPath, ['--input-type=module', '-e', program, form, String(megabytes)], {
          cwd: HERE,
          encoding: 'utf8'
        })
      )

    const small = peakMb(100)
    const large = peakMb(400)

    expect(large).toBeLessThan(110)
    expect(large - small).toBeLessThan(15)
  })

  test('run the example of an ETL script', () => {
    const example = fileURLToPath(new URL('../../examples/etl-script/', import.meta.url))
    const args = [
      join(example, 'etl.mjs'),
      join(example, 'data/readings.ndjson'),
      join(folder, 'out.ndjson'),
      join(folder, 'rejects.ndjson')
    ]

    const said = execFileSync(process.execPath, args, { encoding: 'utf8' })

    expect(said).toBe('4 stamped, 1 rejected {"TIME_INVALID":1}\n')
    const keys = [...readFileSync(join(folder, 'out.ndjson'), 'utf8').matchAll(/"partitionKey":"([^"]+)"/g)].map(
      ([, key]) => key
    )
    expect(keys).toEqual(['abc-123-2026-03.5', 'abc-124-2026-03.1', 'abc-125-2026-03.3', 'abc-125-2026-04.2'])
    expect(readFileSync(join(folder, 'rejects.ndjson'), 'utf8')).toContain('"id":"4"')
  })

  test('run the example of an ETL script, which reports in a sentence that its input does not exist', async () => {
    const script = fileURLToPath(new URL('../../examples/etl-script/etl.mjs', import.meta.url))

    const { code, stderr } = await shell(`node ${script} none.ndjson ${folder}/out.ndjson ${folder}/rejects.ndjson`)

    expect({ code, stderr }).toEqual({ code: 1, stderr: 'none.ndjson cannot be read: there is no such file.\n' })
    expect(readdirSync(folder)).toEqual([])
  })

  test('end silently when the reader of a pipe closes it', async () => {
    writeFileSync(join(folder, 'in.ndjson'), LINE.repeat(200_000))

    const { code, stderr } = await shell(`node ${KEYSTAMP} stamp -q --from deviceId ${folder}/in.ndjson | head -n 1`)

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('end with exit code 130 when interrupted, and leave no file', async () => {
    const child = spawn(process.execPath, [
      KEYSTAMP,
      'stamp',
      '--from',
      'deviceId',
      '-',
      '-o',
      join(folder, 'out.ndjson')
    ])
    let stderr = ''
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
    child.stdin.write(LINE)
    // then the command waits for more input
    while (readdirSync(folder).length === 0) await pause(20)
    await pause(100)
    child.kill('SIGINT')
    const code = await new Promise((resolve) => child.once('exit', resolve))

    expect(code).toBe(130)
    expect(stderr).toBe('keystamp: interrupted. No output file was created or replaced.\n')
    expect(readdirSync(folder)).toEqual([])
  })

  test.runIf(process.platform === 'linux')('report in a sentence that the disk is full', async () => {
    writeFileSync(join(folder, 'in.ndjson'), LINE)

    const { code, stderr } = await shell(`node ${KEYSTAMP} stamp --from deviceId ${folder}/in.ndjson > /dev/full`)

    expect(code).toBe(1)
    expect(stderr).toBe('keystamp: the output cannot be written: the disk is full.\n')
  })

  test('stamp the records of a file, and write them to another file', async () => {
    writeFileSync(join(folder, 'in.ndjson'), LINE)

    const { code } = await shell(
      `node ${KEYSTAMP} stamp -q --from deviceId ${folder}/in.ndjson -o ${folder}/out.ndjson`
    )

    expect(code).toBe(0)
    expect(readFileSync(join(folder, 'out.ndjson'), 'utf8')).toBe('{"deviceId":"a","partitionKey":"a"}\n')
  })
})

async function shell(command: string): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const child = spawn('bash', ['-o', 'pipefail', '-c', command], { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stderr }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
