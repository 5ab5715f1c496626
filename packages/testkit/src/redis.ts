import { spawn } from 'node:child_process'
import { freePort } from './free-port.ts'

/** A Redis to test with. */
export interface RedisHandle {
  readonly url: string
  /** Ends what was started here; leaves a Redis that was already there alone. */
  readonly stop: () => Promise<void>
}

/** Says why there is none. */
export interface RedisMissing {
  readonly missing: string
}

/** The Redis of REDIS_URL, or a `redis-server` on a free port of the loopback that keeps nothing; or the reason that there is neither. */
export async function startRedis(env: NodeJS.ProcessEnv = process.env): Promise<RedisHandle | RedisMissing> {
  const { REDIS_URL: url, KEYSTAMP_REQUIRE_REDIS: required } = env
  if (url !== undefined) return { url, stop: async () => {} }
  const started = await startServer()
  if ('missing' in started && required === '1') throw new Error(`Redis is required here. ${started.missing}`)
  return started
}

async function startServer(): Promise<RedisHandle | RedisMissing> {
  const port = await freePort()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<string>((resolve) => {
    child.once('error', () =>
      resolve('There is no redis-server on this machine: install it (apt-get install redis-server) or set REDIS_URL.')
    )
    child.once('exit', (code) => resolve(`redis-server ended with code ${code}.`))
  })
  const missing = await Promise.race([ended, untilReady(child.stdout)])
  if (missing !== undefined) return { missing }
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  return { url: `redis://127.0.0.1:${port}`, stop }
}

async function untilReady(stdout: NodeJS.ReadableStream): Promise<undefined> {
  return new Promise((resolve) => {
    // read on afterwards too, or a full pipe would stop the server
    stdout.on('data', (text: Buffer) => {
      if (text.includes('Ready to accept connections')) resolve(undefined)
    })
  })
}
