import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))
const MISTAKEN = 'name: drives\nkafca: {}\n'

interface Said {
  readonly code: number | null
  readonly stderr: string
}

describe('keystamp sink in a thread of its own', () => {
  test('gives young objects room, whatever Node would give them', async () => {
    const tell = `import { resourceLimits, isMainThread } from 'node:worker_threads'
if (!isMainThread) console.error(JSON.stringify(resourceLimits))`

    const { stderr } = await runSink(MISTAKEN, { node: ['--import', `data:text/javascript,${encodeURIComponent(tell)}`] })

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

  test('ends at once at a second signal', async () => {
    // takes connections, and never answers
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
    const config = `name: drives\nkafka: { brokers: ['127.0.0.1:1'], topics: [drives], group: g }\ncosmos: { endpoint: '${endpoint}', key: a2V5, database: d, container: c }\n`
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

async function runSink(config: string, { node = [], signals }: RunOptions = {}): Promise<Said> {
  const child = spawn(process.execPath, [...node, COMMAND, 'sink', '--config', '-'], { stdio: ['pipe', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (bytes: Buffer) => (stderr += bytes.toString()))
  child.stdin.end(config)
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
