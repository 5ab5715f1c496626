import { spawn } from 'node:child_process'
import { freePort } from './free-port.ts'

/** Redis server for tests. */
export interface RedisHandle {
  readonly url: string
  /** Ends a server that was started here; does not touch one that was already running. */
  readonly stop: () => Promise<void>
}

/** Why there is no Redis. */
export interface RedisMissing {
  readonly missing: string
}

/**
 * Uses the Redis of REDIS_URL, or starts a `redis-server` without persistence on a free port of the loopback; otherwise
 * returns the reason why there is none.
 */
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
    // still read afterwards: a full pipe would block the server
    stdout.on('data', (text: Buffer) => {
      if (text.includes('Ready to accept connections')) resolve(undefined)
    })
  })
}
