import type { Load } from './count-load.ts'

const BAR = 32

/** One line a range: how much of the range's own share of the RU/s it gets, the fullest range being full. */
export function showLoad({ counts, keys, recordsPerSecond, usable }: Load): readonly string[] {
  const most = Math.max(...counts)
  const bars = counts.map(
    (count, index) => `  range ${String(index).padStart(2)}  ${bar(count / most)} ${percent(count / most).padStart(5)}`
  )
  return [
    ...bars,
    `  ${keys} ${keys === 1 ? 'logical partition' : 'logical partitions'}; ${percent(usable)} of the bought RU/s can be used. ${Math.round(recordsPerSecond / 1000)},000 records/s stamped as bytes.`
  ]
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function bar(share: number): string {
  const full = Math.round(share * BAR)
  return '█'.repeat(full) + '·'.repeat(BAR - full)
}
