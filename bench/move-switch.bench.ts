import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppliedWrite } from '@keystamp/emulator'
import { withMovedContainers } from './move/moved-containers.ts'
import { type SwitchedGroup, withSwitchedGroup } from './move/switched-group.ts'
import { startSinkWorld } from './sink/world.ts'
import { quantile } from './writer/statistics.ts'

export const question = 'For how long does a group of sinks write nothing while keystamp rekey switches its container?'

const DOCUMENTS = Number(process.env['KEYSTAMP_BENCH_DOCUMENTS'] ?? 10_000)
const SWITCHES = Number(process.env['KEYSTAMP_BENCH_ROUNDS'] ?? 10)
const SETTLE_MS = 3000
const STEPS = [
  ['sinks stop', 'running the hook `before`'],
  ['last changes', 'copying the last changes'],
  ['comparison', 'comparing the containers'],
  ['end of the copy', 'stopping the copy'],
  ['sinks continue', 'running the hook `after`']
] as const

/** Two sinks, a move and a producer, in processes of their own: there and back, several times. */
export async function run(report: (line: string) => void): Promise<void> {
  const world = await startSinkWorld(report)
  if (world === undefined) return
  try {
    const emulator = { ruPerSecond: 400_000, throttle: false, operationLog: 1_000_000 }
    await withMovedContainers({ documents: DOCUMENTS, textBytes: 200, emulator }, async ({ emulator: account }) => {
      await withSwitchedGroup(world, account, async (group) => {
        const switches: Record<'switch' | 'back', Pause[]> = { switch: [], back: [] }
        for (let round = 0; round < SWITCHES; round++)
          for (const command of ['switch', 'back'] as const)
            switches[command].push(await measure(group, account.endpoint, command))
        for (const [command, pauses] of Object.entries(switches)) report(textOf(command, pauses))
      })
    })
  } finally {
    await world.stop()
  }
}

/** The pause of one switch, and its parts, in milliseconds. */
interface Pause {
  readonly pauseMs: number
  readonly parts: readonly number[]
  /** CPU of the move and the emulator, from the last changes to the end of the copy. */
  readonly cpuMs: number
}

async function measure(group: SwitchedGroup, endpoint: string, command: 'switch' | 'back'): Promise<Pause> {
  const operations = new URL('_control/operations', endpoint)
  await group.ready()
  await fetch(operations, { method: 'DELETE' })
  await sleep(500)
  await group.turn(command)
  await sleep(SETTLE_MS)
  const writes = (await (await fetch(operations)).json()) as readonly AppliedWrite[]
  const [pauseMs, stoppedMs, continuedMs] = longestPause(writes)
  const moments = STEPS.slice(1).map(([, sentence]) => group.momentOf(sentence))
  const times = [stoppedMs, ...moments.map(({ atMs }) => atMs), continuedMs]
  const cpuMs = (moments.at(-1)!.cpuSeconds - moments[0].cpuSeconds) * 1000
  return { pauseMs, parts: STEPS.map((_, index) => times[index + 1] - times[index]), cpuMs }
}

/** The longest time between two writes of one topic partition; the first stop, and the last write after a stop. */
function longestPause(writes: readonly AppliedWrite[]): readonly [number, number, number] {
  const seen = new Set<string>()
  const gaps = new Map<string, { atMs: number; gapMs: number; fromMs: number }>()
  for (const { id, atMs } of writes) {
    const partition = /-(\d+)-\d+$/.exec(id)?.[1]
    // a copy is written after its document
    if (partition === undefined || seen.has(id)) continue
    seen.add(id)
    const gap = gaps.get(partition)
    if (gap === undefined) gaps.set(partition, { atMs, gapMs: 0, fromMs: atMs })
    else {
      if (atMs - gap.atMs > gap.gapMs) Object.assign(gap, { gapMs: atMs - gap.atMs, fromMs: gap.atMs })
      gap.atMs = atMs
    }
  }
  const all = [...gaps.values()]
  return [
    Math.max(...all.map(({ gapMs }) => gapMs)),
    Math.min(...all.map(({ fromMs }) => fromMs)),
    Math.max(...all.map(({ fromMs, gapMs }) => fromMs + gapMs))
  ]
}

function textOf(command: string, pauses: readonly Pause[]): string {
  const textAt = (share: number, of: (pause: Pause) => number): string =>
    (quantile(pauses.map(of), share) / 1000).toFixed(2)
  const [median, most] = [0.5, 1].map((share) => textAt(share, ({ pauseMs }) => pauseMs))
  const parts = STEPS.map(([name], index) => `${name} ${textAt(0.5, (pause) => pause.parts[index])}`)
  const cpu = textAt(0.5, ({ cpuMs }) => cpuMs)
  return `  ${pauses.length} times ${command}, ${DOCUMENTS.toLocaleString('en')} documents and more: no writes for ${median} s at the median, at most ${most} s (goal 3 s); medians in seconds: ${parts.join(', ')}; CPU of the move and the emulator meanwhile ${cpu} s (load ${loadavg()[0].toFixed(1)})`
}
