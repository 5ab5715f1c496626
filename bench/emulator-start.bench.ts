import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const question = 'How long does the emulator take from the start of its process to its first answer?'

const ROUNDS = Number(process.env['KEYSTAMP_BENCH_ROUNDS'] ?? 9)
const COMMAND = fileURLToPath(new URL('../bin/keystamp-emulator.mjs', import.meta.resolve('@keystamp/emulator')))

/** All ways to start in turn, each with an empty data folder. */
export async function run(report: (line: string) => void): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'keystamp-'))
  const ways = [
    { name: 'http', args: [], cache: () => join(root, 'none') },
    { name: '--https, first start', args: ['--https'], cache: (round: number) => join(root, `cache${round}`) },
    { name: '--https, kept certificate', args: ['--https'], cache: () => join(root, 'cache-1') }
  ]
  const times = ways.map((): Started[] => [])
  try {
    for (let round = -1; round < ROUNDS; round++) {
      for (const [at, { args, cache }] of ways.entries()) {
        const data = join(root, `data${round}-${at}`)
        const started = await start([...args, '--data', data], cache(round))
        if (round >= 0) times[at].push(started)
      }
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
  for (const [at, { name }] of ways.entries()) {
    const wall = times[at].map(({ ms }) => ms)
    const cpu = median(times[at].map(({ cpuMs }) => cpuMs))
    report(
      `  ${name.padEnd(26)} ${median(wall).toFixed(0).padStart(5)} ms (${Math.min(...wall).toFixed(0)} to ${Math.max(...wall).toFixed(0)}), of which CPU ${cpu.toFixed(0)} ms`
    )
  }
}

interface Started {
  readonly ms: number
  readonly cpuMs: number
}

async function start(args: readonly string[], cache: string): Promise<Started> {
  const begunMs = performance.now()
  const child = spawn(process.execPath, [COMMAND, '--port', '0', '--json', '--no-auth', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, XDG_CACHE_HOME: cache }
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { endpoint, certificate } = JSON.parse(line.toString()) as { endpoint: string; certificate?: string }
  await readAccount(endpoint, certificate)
  const ms = performance.now() - begunMs
  const cpuMs = cpuMsOf(child)
  const ended = once(child, 'exit')
  child.kill()
  await ended
  return { ms, cpuMs }
}

function readAccount(endpoint: string, certificate: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = (answer: NodeJS.ReadableStream): void => void answer.resume().once('end', resolve)
    const request = certificate === undefined ? getHttp(endpoint, take) : getHttps(endpoint, { ca: certificate }, take)
    request.once('error', reject)
  })
}

function cpuMsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run((line) => console.log(line))
