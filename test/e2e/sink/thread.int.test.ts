import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))
const THREAD = new URL('../../../packages/cli/dist/run-in-thread.js', import.meta.url).href
const MISTAKEN = 'name: drives\nkafca: {}\n'
const UNREACHABLE = configWith('http://127.0.0.1:1/')

interface ProcessResult {
  readonly code: number | null
  readonly stderr: string
}

describe('the worker thread of keystamp sink', () => {
  test('has a larger young generation than the default of Node', async () => {
    const printLimits = `import { resourceLimits, isMainThread } from 'node:worker_threads'
if (!isMainThread) console.error(JSON.stringify(resourceLimits))`

    const { stderr } = await runSink(MISTAKEN, {
      node: ['--import', `data:text/javascript,${encodeURIComponent(printLimits)}`]
    })

    expect(JSON.parse(stderr.split('\n')[0])).toMatchObject({ maxYoungGenerationSizeMb: 96 })
  })

  test('has an old generation of the size in `--max-old-space-size`', async () => {
    const printLimit = `import { resourceLimits, isMainThread } from 'node:worker_threads'
if (!isMainThread) console.error(resourceLimits.maxOldGenerationSizeMb)`

    const node = ['--max-old-space-size=700', '--import', `data:text/javascript,${encodeURIComponent(printLimit)}`]
    const { stderr } = await runSink(MISTAKEN, { node })

    expect(Number(stderr.split('\n')[0])).toBeGreaterThanOrEqual(700)
  })

  test('reads standard input, and writes its last messages before it ends', async () => {
    const { code, stderr } = await runSink(MISTAKEN)

    expect(code).toBe(2)
    expect(stderr).toMatch(/^keystamp: standard input has 3 mistakes:\n(?: {2}standard input:.*\n){3}$/)
  })

  test('ends even if the signal comes before the thread has started', async () => {
    const program = `import { runInThread } from ${JSON.stringify(THREAD)}
const { stdin, stdout, stderr } = process
process.exitCode = await runInThread(['sink', '--config', '-'], { stdin, stdout, stderr, signal: AbortSignal.abort() }, { readsInput: true })`

    const file = join(tmpdir(), `keystamp-${randomUUID()}.mjs`)
    writeFileSync(file, program)

    const result = await runNode([file], UNREACHABLE)
    rmSync(file)

    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('keystamp: draining') })
  })

  test('ends at once at a second signal', async () => {
    // accepts connections, and never answers
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
    const config = configWith(endpoint)
    const connected = once(silent, 'connection')

    const result = runSink(config, {
      signals: async (send, heard) => {
        await connected
        send('SIGTERM')
        await heard('draining')
        send('SIGTERM')
      }
    })

    expect(await result).toMatchObject({ code: 130 })
    silent.close()
  })
})

interface RunOptions {
  readonly node?: readonly string[]
  readonly signals?: (send: (signal: NodeJS.Signals) => void, heard: (word: string) => Promise<void>) => Promise<void>
}

function runSink(config: string, { node = [], signals }: RunOptions = {}): Promise<ProcessResult> {
  return runNode([...node, COMMAND, 'sink', '--config', '-'], config, signals)
}

async function runNode(
  args: readonly string[],
  input: string,
  signals?: RunOptions['signals']
): Promise<ProcessResult> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (bytes: Buffer) => (stderr += bytes.toString()))
  child.stdin.end(input)
  const exit = once(child, 'exit')
  await signals?.(
    (signal) => void child.kill(signal),
    async (word) => {
      while (!stderr.includes(word)) await once(child.stderr, 'data')
    }
  )
  const [code] = (await exit) as [number | null]
  return { code, stderr }
}

function configWith(endpoint: string): string {
  return `name: drives\nkafka: { brokers: ['127.0.0.1:1'], topics: [drives], group: g }\ncosmos: { endpoint: '${endpoint}', key: a2V5, database: d, container: c }\n`
}
