import { countText } from '../progress/units.ts'
import type { DemoKey } from './demo-keys.ts'
import { type Reading, usedShare } from './readings.ts'

/** One key and what became of the load under it. */
export interface Panel extends Reading {
  readonly key: DemoKey
}

/** What is bought, and what comes. */
export interface World {
  readonly ranges: number
  readonly ruPerSecond: number
  readonly offeredPerSecond: number
}

/** A picture of the moment: for each key a bar a range, and the numbers beside it. */
export function frameOf(panels: readonly Panel[], world: World): readonly string[] {
  return panels.flatMap((panel) => [panel.key.title, ...besides(barsOf(panel.rangeRu, world), numbersOf(panel, world)), ''])
}

/** The same in one line. */
export function lineOf(panels: readonly Panel[], seconds: number, { ruPerSecond }: World): string {
  const parts = panels.map(
    (panel) =>
      `${panel.key.name} ${countText(Math.round(panel.recordsPerSecond))} records/s, ${percent(usedShare(panel, ruPerSecond))} of the RU, ` +
      `${countText(panel.lag)} behind`
  )
  return `${String(Math.round(seconds)).padStart(3)} s  ${parts.join('  |  ')}`
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

const ROWS = 4
const EIGHTHS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

function barsOf(rangeRu: readonly number[], { ranges, ruPerSecond }: World): readonly string[] {
  const full = ruPerSecond / ranges
  const heights = Array.from({ length: ranges }, (_, range) => Math.min(1, (rangeRu[range] ?? 0) / full) * ROWS)
  return Array.from({ length: ROWS }, (_, row) => {
    const below = ROWS - 1 - row
    return heights.map((height) => EIGHTHS[Math.round(Math.min(1, Math.max(0, height - below)) * 8)].repeat(2)).join(' ')
  })
}

function numbersOf(panel: Panel, { ranges, ruPerSecond, offeredPerSecond }: World): readonly string[] {
  const busy = panel.rangeRu.filter((ru) => ru > 0).length
  return [
    `${percent(usedShare(panel, ruPerSecond)).padStart(6)} of the ${countText(ruPerSecond)} RU/s bought do work`,
    `${String(busy).padStart(6)} of ${ranges} ranges take part`,
    `${countText(Math.round(panel.recordsPerSecond)).padStart(6)} records/s of ${countText(Math.round(offeredPerSecond))}`,
    `${countText(panel.lag).padStart(6)} records behind, ${countText(panel.throttled)} throttled`
  ]
}

function besides(left: readonly string[], right: readonly string[]): readonly string[] {
  return left.map((line, index) => `  ${line}   ${right[index] ?? ''}`)
}
