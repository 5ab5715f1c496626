import { readConfig, runService, type Service } from '@keystamp/connector'
import { startEmulatorProcess } from '@keystamp/emulator'
import { setTimeout } from 'node:timers/promises'
import type { Dependencies } from '../dependencies.ts'
import { createContainers, DEMO_KEYS, demoConfig, RANGES, RU_PER_SECOND } from './demo-setup.ts'
import { type DemoView, type Panel, readingBetween, type Snapshot, takeSnapshot } from './demo-view.ts'
import { openRecordsSource } from './records-source.ts'
import { createVehicleRecords, type GeneratedRecord } from './vehicle-records.ts'

export interface DemoOptions {
  readonly seconds: number
  readonly view: DemoView
  readonly dependencies: Dependencies
  /** Aborted when the user ends the demo. */
  readonly ended: AbortSignal
  /** Called at the end with the last panels, while everything is still running. */
  readonly beforeEnd: (panels: readonly Panel[], addresses: DemoAddresses) => Promise<void>
}

/** Addresses of the parts of the demo. */
export interface DemoAddresses {
  readonly endpoint: string
  readonly key: string
  readonly url: string | undefined
  readonly brokers: string
}

/** Writes the same telemetry through the same sinks into three containers that differ only in their key. */
export async function runDemo({ seconds, view, dependencies, ended, beforeEnd }: DemoOptions): Promise<void> {
  const cleanups: (() => Promise<unknown>)[] = []
  try {
    const emulator = await startEmulatorProcess({ ranges: RANGES, throttle: true, auth: 'off' })
    cleanups.push(emulator.stop)
    await createContainers(emulator.endpoint)
    view.say(
      `A local Cosmos DB at ${emulator.endpoint}: three containers of ${RANGES} physical partitions and ${RU_PER_SECOND.toLocaleString('en')} RU/s each.`
    )
    const source = await openRecordsSource(view.say, dependencies)
    cleanups.push(source.stop)
    view.say(source.about)
    const text = demoConfig({ brokers: source.brokers, endpoint: emulator.endpoint, key: emulator.key })
    const settings = await readConfig(
      { text, name: 'the demo' },
      { env: {}, readFile: () => Promise.reject(new Error('The demo reads no files.')) }
    )
    const { createConsumer } = source
    const service = await runService(settings, createConsumer === undefined ? {} : { createConsumer })
    cleanups.push(service.stop)
    await service.started
    const panels = await watch({ service, seconds, view, dependencies, ended, append: source.append })
    await beforeEnd(panels, {
      endpoint: emulator.endpoint,
      key: emulator.key,
      url: service.url,
      brokers: source.brokers
    })
  } finally {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }
}

interface Watching {
  readonly service: Service
  readonly seconds: number
  readonly view: DemoView
  readonly dependencies: Dependencies
  readonly ended: AbortSignal
  readonly append: (records: readonly GeneratedRecord[]) => Promise<void>
}

/** Produces slightly fewer records than the provisioned throughput of a container allows, and shows the rates. */
async function watch({
  service,
  seconds,
  view,
  dependencies: { now },
  ended,
  append
}: Watching): Promise<readonly Panel[]> {
  const startMs = now()
  const pace = createPace(FIRST_PACE, startMs)
  const makeRecords = createVehicleRecords(42)
  const warmUp = { until: startMs + WARM_UP_MS, snapshots: undefined as readonly Snapshot[] | undefined }
  let produced = 0
  let before = snapshots(service, produced, now())
  let panels: readonly Panel[] = []
  while (!ended.aborted && now() - startMs < seconds * 1000) {
    const records = makeRecords(pace.due(now()))
    if (records.length > 0) await append(records)
    produced += records.length
    if (now() - before[0].atMs >= view.everyMs) {
      const after = snapshots(service, produced, now())
      panels = panelsOf(before, after)
      pace.recordsPerSecond = paceFor(after.at(-1)!) ?? pace.recordsPerSecond
      view.show(panels, (now() - startMs) / 1000, {
        ranges: RANGES,
        ruPerSecond: RU_PER_SECOND,
        offeredPerSecond: pace.recordsPerSecond
      })
      before = after
      if (warmUp.snapshots === undefined && now() >= warmUp.until) warmUp.snapshots = after
    }
    await pause(PORTION_MS, ended)
  }
  return warmUp.snapshots === undefined ? panels : panelsOf(warmUp.snapshots, snapshots(service, produced, now()))
}

const FIRST_PACE = 400
const WARM_UP_MS = 5000
const PORTION_MS = 25
/**
 * Share of the provisioned throughput that the load uses: below 1, so that a sink falls behind only because of its key.
 */
const OFFERED_SHARE = 0.95

/** Records per second for the measured charge of a record; undefined while too few are written. */
function paceFor({ written, rangeRu }: Snapshot): number | undefined {
  if (written < 200) return undefined
  const chargedRu = [...rangeRu.values()].reduce((sum, ru) => sum + ru, 0)
  return (RU_PER_SECOND * OFFERED_SHARE) / (chargedRu / written)
}

function snapshots({ sinks }: Service, produced: number, nowMs: number): readonly Snapshot[] {
  return sinks.map((sink) => takeSnapshot(sink.stats(), produced, nowMs))
}

function panelsOf(before: readonly Snapshot[], after: readonly Snapshot[]): readonly Panel[] {
  return DEMO_KEYS.map((key, index) => ({ key, ...readingBetween(before[index], after[index]) }))
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal })
  } catch {
    // the signal aborted
  }
}

/** Computes how many records are due, so that the mean rate is right even if it is called late. */
export interface Pace {
  /** Number of records that are due since the last call. */
  readonly due: (nowMs: number) => number
  recordsPerSecond: number
}

/** Creates a pace. After a longer pause it makes up for at most one second. */
export function createPace(recordsPerSecond: number, startMs: number): Pace {
  let lastMs = startMs
  let owed = 0
  return {
    recordsPerSecond,
    due(nowMs: number) {
      owed += (Math.min(1000, nowMs - lastMs) / 1000) * this.recordsPerSecond
      lastMs = nowMs
      const whole = Math.floor(owed)
      owed -= whole
      return whole
    }
  }
}
