import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { type EmulatorProcess, type EmulatorReport, startEmulatorProcess } from '@keystamp/emulator'
import { cpuWaitMs } from './cpu-wait.ts'
import { maxOfARange } from './max-of-a-range.ts'
import type { Work, Worked } from './work.ts'

/** Result of several processes that share one budget. */
export interface SpentTogether {
  /** Share of the provisioned throughput that was used, without the first and the last second. */
  readonly usedShare: number
  /**
   * Part of the time in which a request could not go on, because a process had no processor: its writer (on average) or
   * the emulator. On a busy machine, that much less of the throughput can be used. Short waits, which also a quiet
   * machine has, do not count.
   */
  readonly lostShare: number
  readonly throttledShare: number
  /** Maximum of the RU for one range within any sliding second, as a fraction of its budget. */
  readonly maxShare: number
  /** Fraction of the charged RU, by process. */
  readonly parts: readonly number[]
}

export interface SpendOptions {
  readonly processes: number
  readonly seconds: number
  readonly ranges: number
  readonly ruPerSecond: number
  /** Redis that divides the budget; not needed by a single process. */
  readonly redis?: string
}

// by its path in the repository, since the benches run from another folder
const WORKER = resolve('test/faults/shared-budget/worker.ts')

/** Runs processes that write as fast as possible into one container, and share its budget through Redis. */
export async function spendTogether({
  processes,
  seconds,
  ranges,
  ruPerSecond,
  redis
}: SpendOptions): Promise<SpentTogether> {
  const emulator = await startEmulatorProcess({
    ranges,
    ruPerSecond,
    throttle: true,
    latencyMs: 5,
    operationLog: 0,
    auth: 'off'
  })
  try {
    await create(`${emulator.endpoint}dbs`, { id: 'd' })
    await create(`${emulator.endpoint}dbs/d/colls`, {
      id: 'c',
      partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 }
    })
    const place = { endpoint: emulator.endpoint, key: emulator.key, database: 'd', container: 'c' }
    const shared = redis === undefined ? {} : { sharedThrough: { redis, name: `budget-${emulator.pid}` } }
    const children = Array.from({ length: processes }, (_, index) =>
      start({ name: `p${index}`, place, seconds, ...shared })
    )
    await Promise.all(children.map(untilReady))
    const beginMs = Date.now()
    const waitedMs = cpuWaitMs(emulator.pid)
    const worked = await Promise.all(children.map(finish))
    const lostMs = cpuWaitMs(emulator.pid) - waitedMs + sum(worked.map((one) => one.cpuWaitMs)) / processes
    const usedShare = usedOf(await reportOf(emulator), beginMs, seconds, ruPerSecond)
    return {
      usedShare,
      lostShare: Math.max(0, lostMs / (seconds * 1000) - SHORT_WAITS),
      ...summaryOf(worked, ruPerSecond / ranges)
    }
  } finally {
    await emulator.stop()
  }
}

/** Twice as much as on a quiet machine with two processors. */
const SHORT_WAITS = 0.08

type Child = ChildProcessByStdio<Writable, Readable, null>

function start(work: Work): Child {
  // uses the sources if this process does
  const conditions = /--conditions[= ](\S+)/.exec(process.execArgv.join(' '))?.[1]
  const sources = conditions === undefined ? [] : [`--conditions=${conditions}`]
  const args = [...sources, '--import', 'tsx', WORKER, JSON.stringify(work)]
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
}

async function untilReady({ stdout }: Child): Promise<void> {
  const text = await Promise.race([once(stdout, 'data'), once(stdout, 'end')])
  if (text.length === 0) throw new Error('A process ended before it was ready: see its own message.')
}

async function finish(child: Child): Promise<Worked> {
  child.stdin.end('go\n')
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  return JSON.parse(text) as Worked
}

function summaryOf(worked: readonly Worked[], rangeRu: number): Omit<SpentTogether, 'usedShare' | 'lostShare'> {
  const sent = worked.flatMap((one) => one.sent)
  const charged = worked.map((one) => sum(one.sent.map(({ chargedRu }) => chargedRu)))
  return {
    throttledShare: sum(worked.map((one) => one.throttledOperations)) / sum(worked.map((one) => one.operations)),
    maxShare: maxOfARange(sent) / rangeRu,
    parts: charged.map((ru) => ru / sum(charged))
  }
}

function usedOf(
  { containers: [{ ranges }] }: EmulatorReport,
  beginMs: number,
  seconds: number,
  ruPerSecond: number
): number {
  const first = Math.ceil(beginMs / 1000) + 1
  const count = seconds - 3
  const used = ranges.flatMap((range) =>
    range.seconds.filter(({ second }) => second >= first && second < first + count).map(({ usedRu }) => usedRu)
  )
  return sum(used) / (count * ruPerSecond)
}

async function reportOf({ endpoint }: EmulatorProcess): Promise<EmulatorReport> {
  return (await (await fetch(`${endpoint}_control/report`)).json()) as EmulatorReport
}

async function create(url: string, body: object): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status}.`)
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
