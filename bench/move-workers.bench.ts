import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EmulatorProcess } from '@keystamp/emulator'
import { setThrottle, usedRu, withMovedContainers } from './move/moved-containers.ts'

export const question =
  'Do two and four machines that share a move copy faster than one, up to the throughput of the target?'

const DOCUMENTS = Number(process.env['KEYSTAMP_BENCH_DOCUMENTS'] ?? 250_000)
const RANGES = 4
const RU_OF_RANGE = 10_000
/** Part of a processor that a worker may use, so that several of them on one machine are as several small machines. */
const CPU_SHARE = 0.05
const SECONDS = 8
const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))
const TO_THE_END = { retryAfter: 'window', metadataRuPerSecond: 0 } as const

export async function run(report: (line: string) => void): Promise<void> {
  if (groupFolder() === undefined)
    return report('  Not measured: this needs Linux and the permission to create control groups (root).')
  for (const workers of [1, 2, 4]) {
    const emulator = {
      ruPerSecond: RANGES * RU_OF_RANGE,
      latencyMs: 5,
      containers: ['bench/old:/deviceId', 'bench/new:/partitionKey', 'bench/leases:/id']
    }
    await withMovedContainers(
      { documents: DOCUMENTS, textBytes: 900, emulator },
      async ({ emulator: { endpoint, key } }) => {
        await setThrottle(endpoint, TO_THE_END)
        const ruPerSecond = await measure(workers, { endpoint, key })
        report(
          `  ${workers} ${workers === 1 ? 'worker' : 'workers'} with ${100 * CPU_SHARE} % of a processor each: ${Math.round(ruPerSecond).toLocaleString('en')} RU/s written, ${((100 * ruPerSecond) / (RANGES * RU_OF_RANGE)).toFixed(0)} % of the throughput of the target (load ${loadavg()[0].toFixed(1)})`
        )
      }
    )
  }
}

/** RU/s of the target that this number of workers uses while they copy. */
async function measure(workers: number, account: Pick<EmulatorProcess, 'endpoint' | 'key'>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-bench-'))
  writeFileSync(
    join(folder, 'plan.json'),
    JSON.stringify({ into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/id' }] })
  )
  const journals = Array.from({ length: workers }, (_, worker) => join(folder, `worker-${worker + 1}`))
  const children = journals.map((journal) => startWorker(journal, join(folder, 'plan.json'), account))
  const groups: string[] = []
  try {
    while (journals.some((journal) => ownRangesOf(journal) !== RANGES / workers)) await sleep(200)
    // they have copied documents meanwhile, so V8 has compiled their functions
    for (const child of children) groups.push(limitProcessor(child.pid!))
    await sleep(2000)
    const [before, begun] = [await sumOf(account), performance.now()]
    await sleep(SECONDS * 1000)
    return ((await sumOf(account)) - before) / ((performance.now() - begun) / 1000)
  } finally {
    for (const child of children) {
      const ended = once(child, 'exit')
      if (child.kill('SIGKILL')) await ended
    }
    for (const group of groups) rmdirSync(group)
    rmSync(folder, { recursive: true })
  }
}

function startWorker(
  journal: string,
  plan: string,
  { endpoint, key }: Pick<EmulatorProcess, 'endpoint' | 'key'>
): ChildProcess {
  const args = [
    ...[COMMAND, 'rekey', '--from', `${endpoint}bench/old`, '--to', `${endpoint}bench/new`, '--plan', plan],
    ...['--workers', 'lease', '--leases', `${endpoint}bench/leases`, '--lease-length', '5s', '--journal', journal],
    ...['--share-from', '100%', '--share-to', '100%', '--yes', '--quiet']
  ]
  const env = { ...process.env, COSMOS_KEY: key }
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], env })
}

function ownRangesOf(journal: string): unknown {
  const path = join(journal, 'status.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { ownRanges?: number }).ownRanges : undefined
}

async function sumOf({ endpoint }: Pick<EmulatorProcess, 'endpoint'>): Promise<number> {
  return (await usedRu(endpoint, 'new')).reduce((sum, ru) => sum + ru, 0)
}

/** Folder in which control groups can be created: of version 1 or 2; undefined if there is none. */
function groupFolder(): string | undefined {
  return ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'].find((folder) => {
    try {
      const group = join(folder, `keystamp-bench-${process.pid}-test`)
      mkdirSync(group)
      const isUsable = existsSync(join(group, 'cpu.cfs_quota_us')) || existsSync(join(group, 'cpu.max'))
      rmdirSync(group)
      return isUsable
    } catch {
      return false
    }
  })
}

/** File of a control group with its processes. */
// cspell:disable-next-line
const PROCESSES = 'cgroup.procs'

/** Limits the processor time of a process. Returns the folder of its control group. */
function limitProcessor(pid: number): string {
  const group = join(groupFolder()!, `keystamp-bench-${pid}`)
  mkdirSync(group)
  const [periodUs, quotaUs] = [20_000, 20_000 * CPU_SHARE]
  if (existsSync(join(group, 'cpu.max'))) writeFileSync(join(group, 'cpu.max'), `${quotaUs} ${periodUs}`)
  else {
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs))
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaUs))
  }
  writeFileSync(join(group, PROCESSES), String(pid))
  return group
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
