import type { Readable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import type { SinkStats } from '@keystamp/connector'
import { type Dependencies, untilAborted } from '../dependencies.ts'
import { countText } from '../progress/units.ts'
import { DATABASE, type DemoKey, RU_PER_SECOND, TOPIC } from './demo-setup.ts'
import type { DemoAddresses } from './run-demo.ts'

/** Rates of one sink between two snapshots. */
export interface Reading {
  readonly recordsPerSecond: number
  /** RU per second in each physical partition. */
  readonly rangeRu: readonly number[]
  readonly throttled: number
  readonly lag: number
}

/** Counters of a sink at one moment. */
export interface Snapshot {
  readonly atMs: number
  readonly written: number
  readonly throttled: number
  readonly lag: number
  readonly rangeRu: ReadonlyMap<string, number>
}

/** Takes a snapshot; `produced` is the number of records in the topic. */
export function takeSnapshot({ written, containers }: SinkStats, produced: number, atMs: number): Snapshot {
  const [container] = containers
  return {
    atMs,
    written,
    throttled: container?.throttledOperations ?? 0,
    lag: produced - written,
    rangeRu: new Map(container?.ranges.map(({ id, chargedRu }) => [id, chargedRu]))
  }
}

/** Rates between two snapshots. */
export function readingBetween(before: Snapshot, after: Snapshot): Reading {
  const seconds = Math.max(0.001, (after.atMs - before.atMs) / 1000)
  return {
    recordsPerSecond: (after.written - before.written) / seconds,
    rangeRu: [...after.rangeRu].map(([id, ru]) => (ru - (before.rangeRu.get(id) ?? 0)) / seconds),
    throttled: after.throttled - before.throttled,
    lag: after.lag
  }
}

/** Share of the provisioned throughput that is used. */
export function usedShare({ rangeRu }: Reading, provisionedRu: number): number {
  return rangeRu.reduce((sum, ru) => sum + ru, 0) / provisionedRu
}

/** Output of the demo. */
export interface DemoView {
  readonly everyMs: number
  readonly say: (line: string) => void
  readonly show: (panels: readonly Panel[], seconds: number, load: DemoLoad) => void
}

/** Redraws a picture on a terminal, and prints a line a second elsewhere. */
export function createDemoView(stdout: Dependencies['stdout']): DemoView {
  const say = (line: string): void => void stdout.write(`${line}\n`)
  if (stdout.isTTY !== true)
    return { everyMs: 1000, say, show: (panels, seconds, load) => say(lineOf(panels, seconds, load)) }
  let drawn = 0
  return {
    everyMs: 500,
    say,
    show: (panels, seconds, load) => {
      const lines = ['', ...frameOf(panels, load), `${Math.round(seconds)} s. q ends it.`]
      const up = drawn === 0 ? '' : `\u001b[${drawn}A`
      stdout.write(`${up}${lines.map((line) => `${line}\u001b[K\n`).join('')}`)
      drawn = lines.length
    }
  }
}

/** A key and the throughput of the load with it. */
export interface Panel extends Reading {
  readonly key: DemoKey
}

/** Provisioned throughput of each container, and the offered load. */
export interface DemoLoad {
  readonly ranges: number
  readonly ruPerSecond: number
  readonly offeredPerSecond: number
}

/** Lines of the picture: for each key a bar chart of the physical partitions, with numbers to its right. */
export function frameOf(panels: readonly Panel[], load: DemoLoad): readonly string[] {
  return panels.flatMap((panel) => [
    panel.key.title,
    ...sideBySide(barsOf(panel.rangeRu, load), numbersOf(panel, load)),
    ''
  ])
}

/** The same numbers in one line. */
export function lineOf(panels: readonly Panel[], seconds: number, { ruPerSecond }: DemoLoad): string {
  const parts = panels.map(
    (panel) =>
      `${panel.key.name} ${countText(Math.round(panel.recordsPerSecond))} records/s, ${percent(usedShare(panel, ruPerSecond))} of the RU, ` +
      `${countText(panel.lag)} waiting`
  )
  return `${String(Math.round(seconds)).padStart(3)} s  ${parts.join('  |  ')}`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

const ROWS = 4
const EIGHTHS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

function barsOf(rangeRu: readonly number[], { ranges, ruPerSecond }: DemoLoad): readonly string[] {
  const full = ruPerSecond / ranges
  const heights = Array.from({ length: ranges }, (_, range) => Math.min(1, (rangeRu[range] ?? 0) / full) * ROWS)
  return Array.from({ length: ROWS }, (_, row) => {
    const below = ROWS - 1 - row
    return heights
      .map((height) => EIGHTHS[Math.round(Math.min(1, Math.max(0, height - below)) * 8)].repeat(2))
      .join(' ')
  })
}

function numbersOf(panel: Panel, { ranges, ruPerSecond, offeredPerSecond }: DemoLoad): readonly string[] {
  const busy = panel.rangeRu.filter((ru) => ru > 0).length
  return [
    `${percent(usedShare(panel, ruPerSecond)).padStart(6)} of the ${countText(ruPerSecond)} RU/s are used`,
    `${String(busy).padStart(6)} of ${ranges} physical partitions are used`,
    `${countText(Math.round(panel.recordsPerSecond)).padStart(6)} records/s of ${countText(Math.round(offeredPerSecond))}`,
    `${countText(panel.lag).padStart(6)} records waiting, ${countText(panel.throttled)} throttled`
  ]
}

function sideBySide(left: readonly string[], right: readonly string[]): readonly string[] {
  return left.map((line, index) => `  ${line}   ${right[index] ?? ''}`)
}

/** Summary of the demo. */
export function describeDemo(panels: readonly Panel[]): readonly string[] {
  const shares = panels.map((panel) => usedShare(panel, RU_PER_SECOND))
  const [date, suffix, even] = shares.map(percent)
  if (even === undefined) return []
  const isBusy = shares.every((share) => share < BUSY_SHARE)
  return [
    '',
    `A key of time alone used ${date} of the provisioned throughput; more throughput would not help. A suffix that readers can compute used ${suffix}.`,
    `Even labels put one suffix into each equal slice of the hash space, and used ${even}; readers can compute them, too.`,
    ...(isBusy
      ? [
          'This machine was too busy for a fair comparison: no key used the provisioned throughput, and the keys are not the reason.'
        ]
      : [])
  ]
}

// on a machine that is not busy, even labels use a larger share than this
const BUSY_SHARE = 0.7

/** Prints how to inspect the parts of the demo, and waits until it is interrupted. */
export function keepRunning(
  { endpoint, key, url, brokers }: DemoAddresses,
  say: (line: string) => void,
  signal: AbortSignal
): Promise<void> {
  say('')
  say('Everything is still running; Ctrl-C ends it.')
  say(`  documents    curl -s ${endpoint}dbs/${DATABASE}/colls/even/docs -H 'x-ms-max-item-count: 2'`)
  say(`  ranges       curl -s ${endpoint}dbs/${DATABASE}/colls/even/pkranges`)
  say(
    `  the SDK      new CosmosClient({ endpoint: '${endpoint}', key: '${key}' }).database('${DATABASE}').container('even')`
  )
  if (url !== undefined) say(`  the sinks    curl -s ${url}/metrics ; curl -s ${url}/readyz`)
  say(`  the topic    ${TOPIC} at ${brokers}`)
  return untilAborted(signal)
}

/**
 * Aborts when the key is pressed on a terminal, or when `signal` aborts. Ctrl-C has the same effect as the key, since a
 * raw terminal sends no signal.
 */
export function watchForKey(
  stdin: Readable,
  key: string,
  signal: AbortSignal
): { readonly pressed: AbortSignal; readonly stop: () => void } {
  const press = new AbortController()
  const terminal = 'setRawMode' in stdin && (stdin as ReadStream).isTTY ? (stdin as ReadStream) : undefined
  const listen = (bytes: Buffer): void => {
    if (bytes.includes(key) || bytes.includes(CTRL_C)) press.abort()
  }
  terminal?.setRawMode(true)
  terminal?.on('data', listen)
  return {
    pressed: AbortSignal.any([press.signal, signal]),
    stop: () => {
      terminal?.off('data', listen)
      terminal?.setRawMode(false)
      terminal?.pause()
    }
  }
}

const CTRL_C = '\u0003'
