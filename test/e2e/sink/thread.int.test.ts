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

interface Said {
  readonly code: number | null
  readonly stderr: string
}

describe('keystamp sink in a thread of its own', () => {
  test('gives young objects room, whatever Node would give them', async () => {
    const tell = `import { resourceLimits, isMainThread } from 'node:worker_threads'
if (!isMainThread) console.error(JSON.stringify(resourceLimits))`

    const { stderr } = await runSink(MISTAKEN, {
      node: ['--import', `data:text/javascript,${encodeURIComponent(tell)}`]
    })

    expect(JSON.parse(stderr.split('\n')[0])).toMatchObject({ maxYoungGenerationSizeMb: 96 })
  })

  test('lets old objects have what the process was given', async () => {
    const tell = `import { resourceLimits, isMainThread } from 'node:worker_threads'
if (!isMainThread) console.error(resourceLimits.maxOldGenerationSizeMb)`

    const node = ['--max-old-space-size=700', '--import', `data:text/javascript,${encodeURIComponent(tell)}`]
    const { stderr } = await runSink(MISTAKEN, { node })

    expect(Number(stderr.split('\n')[0])).toBeGreaterThanOrEqual(700)
  })

  test('reads standard input there, and says its last words before it ends', async () => {
    const { code, stderr } = await runSink(MISTAKEN)

    expect(code).toBe(2)
    expect(stderr).toMatch(/^keystamp: standard input has 3 mistakes:\n(?: {2}standard input:.*\n){3}$/)
  })

  test('ends, too, when the signal came before the thread was there', async () => {
    const program = `import { runInThread } from ${JSON.stringify(THREAD)}
const { stdin, stdout, stderr } = process
process.exitCode = await runInThread(['sink', '--config', '-'], { stdin, stdout, stderr, signal: AbortSignal.abort() }, { readsInput: true })`

    const file = join(tmpdir(), `keystamp-${randomUUID()}.mjs`)
    writeFileSync(file, program)

    const said = await runNode([file], UNREACHABLE)
    rmSync(file)

    expect(said).toMatchObject({ code: 0, stderr: expect.stringContaining('keystamp: draining') })
  })

  test('ends at once at a second signal', async () => {
    // takes connections, and never answers
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
    const config = configWith(endpoint)
    const connected = once(silent, 'connection')

    const said = runSink(config, {
      signals: async (send, heard) => {
        await connected
        send('SIGTERM')
        await heard('draining')
        send('SIGTERM')
      }
    })

    expect(await said).toMatchObject({ code: 130 })
    silent.close()
  })
})

interface RunOptions {
  readonly node?: readonly string[]
  readonly signals?: (send: (signal: NodeJS.Signals) => void, heard: (word: string) => Promise<void>) => Promise<void>
}

function runSink(config: string, { node = [], signals }: RunOptions = {}): Promise<Said> {
  return runNode([...node, COMMAND, 'sink', '--config', '-'], config, signals)
}

async function runNode(args: readonly string[], input: string, signals?: RunOptions['signals']): Promise<Said> {
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
