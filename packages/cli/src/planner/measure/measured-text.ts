import { type Compared, formatCount, formatPercent, type MeasuredKey, type PlanReport } from '@keystamp/planner'
import type { TextLayout } from '../../terminal/text-layout.ts'

const MAX_NAME = 34
const MIN_BUSIEST_USE = 0.9
const MAX_REQUEST_MS = 100

/** Returns the text on the measured keys: predicted and measured figures, and how they were measured. */
export function describeMeasured(
  { measured, candidates }: Pick<PlanReport, 'measured' | 'candidates'>,
  layout: TextLayout
): readonly string[] {
  if (measured === null) return []
  const [{ seconds, queries }] = measured
  const rankOf = ({ candidate }: MeasuredKey): number => candidates.find(({ name }) => name === candidate)?.rank ?? 0
  const rows = measured.map((each) => [
    `${String(rankOf(each)).padStart(2)}  ${shortened(each.candidate)}`,
    String(each.partitions),
    both(each.usableShare, formatPercent),
    both(each.writeRu, ruText)
  ])
  const queryRows = queries.flatMap(({ name }) =>
    measured.flatMap((key, index) => {
      const found = key.queries.find((query) => query.name === name)
      return found === undefined
        ? []
        : [
            [
              `${index === 0 ? shortened(name).padEnd(MAX_NAME) : ' '.repeat(MAX_NAME)}  ${String(rankOf(key)).padStart(2)}`,
              both(found.ranges, rangesText),
              both(found.ru, ruText)
            ]
          ]
    })
  )
  return [
    ...layout.table([['    measured', 'partitions', 'usable', 'RU per write'], ...rows]),
    ...(queryRows.length === 0
      ? []
      : ['', ...layout.table([[`${'query'.padEnd(MAX_NAME)}  key`, 'partitions queried', 'RU'], ...queryRows])]),
    ...layout
      .paragraph(
        `Each pair is the predicted and the measured figure: ${formatCount(seconds)} s of writes for each key in a local emulator, as fast as possible, in the order of the sample. The emulator charges RU as the documentation of Cosmos DB says; it is not a live account.`
      )
      .map(layout.dim),
    ...notesOf(measured).flatMap((note) => layout.paragraph(note))
  ]
}

function shortened(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 3)}...`
}

function both({ predicted, measured }: Compared, format: (value: number) => string): string {
  return `${format(predicted)} / ${format(measured)}`
}

function ruText(ru: number): string {
  return ru.toFixed(ru < 100 ? 2 : 0)
}

function rangesText(ranges: number): string {
  return String(Number(ranges.toFixed(1)))
}

function notesOf(measured: readonly MeasuredKey[]): readonly string[] {
  const slow = measured.filter(
    ({ busiestPartitionUse, requestMs }) => busiestPartitionUse < MIN_BUSIEST_USE || requestMs > MAX_REQUEST_MS
  )
  return [
    ...new Set([
      ...measured.flatMap(({ notes }) => notes),
      ...slow.map(
        ({ candidate, busiestPartitionUse, requestMs }) =>
          `${shortened(candidate)}: this machine was too slow. A request took ${formatCount(Math.round(requestMs))} ms, and the busiest physical partition used only ${formatPercent(busiestPartitionUse)} of its RU/s. Measure again when the machine is less busy.`
      )
    ])
  ]
}
