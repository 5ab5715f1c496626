import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Agent, request } from 'node:http'
import { type EmulatorOptions, startEmulatorProcess } from '@keystamp/emulator'

/** A server under measurement, in a process of its own. */
export interface BenchServer {
  readonly name: string
  readonly endpoint: string
  readonly call: (method: string, path: string, headers?: Record<string, string>, body?: string) => Promise<BenchAnswer>
  /** CPU time of the process so far, in microseconds. */
  readonly cpuMicros: () => number
  readonly residentMb: () => number
  readonly stop: () => Promise<void>
}

export interface BenchAnswer {
  readonly status: number
  readonly range: string
  readonly text: string
  readonly continuation: string | undefined
}

/** Starts our emulator without authorization: the other server does not check it either. */
export async function startOurs(
  name: string,
  throttle: boolean,
  ranges = 10,
  more: Pick<EmulatorOptions, 'data' | 'sync'> = {}
): Promise<BenchServer> {
  const options = throttle ? { throttle: { metadataRuPerSecond: 0 } } : {}
  const emulator = await startEmulatorProcess({ auth: 'off', ranges, ruPerSecond: 1_000_000, ...options, ...more })
  return connectTo(name, new URL(emulator.endpoint), emulator.pid, emulator.stop)
}

/** Starts @vercel/cosmosdb-server with persistent connections. */
export async function startVercel(): Promise<BenchServer> {
  const entry = createRequire(import.meta.url).resolve('@vercel/cosmosdb-server')
  const script = `
    const server = require(${JSON.stringify(entry)}).createHttpServer()
    server.keepAliveTimeout = 300000
    server.listen(0, '127.0.0.1', () => console.log(server.address().port))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
  )
  return connectTo('@vercel/cosmosdb-server', new URL(`http://127.0.0.1:${port}`), child.pid ?? 0, () => end(child))
}

/** Connects to a server that runs in a process of its own. */
export function connectTo(
  name: string,
  { href, hostname, port }: URL,
  pid: number,
  stop: () => Promise<void>
): BenchServer {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const call: BenchServer['call'] = (method, path, headers = {}, body) =>
    new Promise((resolve, reject) => {
      const length =
        body === undefined
          ? {}
          : { 'content-length': String(Buffer.byteLength(body)), 'content-type': 'application/json' }
      const sent = request(
        { agent, hostname, port, method, path, headers: { ...headers, ...length, connection: 'keep-alive' } },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () => {
            const range = String(answer.headers['x-ms-documentdb-partitionkeyrangeid'] ?? '0')
            const continuation = answer.headers['x-ms-continuation']?.toString()
            resolve({ status: answer.statusCode ?? 0, range, text: Buffer.concat(chunks).toString(), continuation })
          })
        }
      )
      sent.on('error', reject)
      sent.end(body)
    })
  return {
    name,
    endpoint: href,
    call,
    cpuMicros: () => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
      return (Number(fields[11]) + Number(fields[12])) * 10_000
    },
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    stop: async () => {
      agent.destroy()
      await stop()
    }
  }
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill()
  })
}
