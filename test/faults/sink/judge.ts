import {
  describe,
  judgeCommits,
  judgeLateReports,
  judgeNamed,
  judgeTakeover,
  judgeWrites,
  type WritesVerdict
} from './judge-writes.ts'
import type { Applied } from './applied-writes.ts'
import type { Sample, ScenarioResult, SinkResult } from './run-scenario.ts'
import type { Expectation, Scenario } from './scenario.ts'

/** Violations of a scenario, a sentence each; empty when every law was kept. */
export function judge(
  { expect = {}, isNewest = false }: Pick<Scenario, 'expect' | 'isNewest'>,
  result: ScenarioResult
): readonly string[] {
  const { isTopicGone = false, lateFrom } = expect
  const { produced } = result
  const judged = judgeWrites(result, lateFrom)
  // a late request of a sink with `newerBy` leaves nothing stale
  const writes = isNewest ? { ...judged, isExcused: () => false } : judged
  const below = (committed: ReadonlyMap<number, number>): ScenarioResult['produced'] =>
    produced.filter(({ partition, offset }) => offset < (committed.get(partition) ?? 0))
  const settled = isTopicGone ? produced : below(result.committed)
  const causeOf: FindCause = (document, mark, { fromMs, atMs }) => {
    const own = result.applied.filter((write) => write.document === document && write.appliedMs <= atMs)
    const at = own.findLastIndex((write) => write.mark === mark)
    // a write that was overwritten before the store was read is not the cause
    return at < 0 || (own[at + 1]?.appliedMs ?? fromMs) < fromMs ? undefined : own[at]
  }
  return [
    ...judgeEnds(expect, result),
    ...judgeWords(expect, result),
    ...judgeProgress(result),
    ...judgeCommits(result),
    ...writes.wrong,
    ...judgeLateReports(result.sinks),
    ...(expect.takenFrom === undefined ? [] : judgeTakeover(result, expect.takenFrom)),
    ...(expect.namesLate === undefined ? [] : judgeNamed(result.sinks, expect.namesLate)),
    // single samples may fail while the broker is down, but not all of them
    ...(result.samples.length === 0 ? ['no sample could be taken'] : []),
    ...result.samples.flatMap((sample) =>
      judgeSample(below(sample.committed), produced, sample, { ...writes, causeOf })
    ),
    // not checked: the final store if the topic was deleted, since records were in flight then; the samples are checked
    ...(isTopicGone
      ? []
      : judgeStore(settled, result.stored, (id, mark) => isExcused(causeOf(id, mark, AT_THE_END), writes))),
    ...judgeDeadLetters(settled, result),
    // a record that is read again is not stored again if it is not newer
    ...(isNewest ? writtenAgain(result.applied) : judgeReplays(expect, result.applied))
  ]
}

/**
 * Number of excused late requests: those that their sink reported and counted, and those of the sink that the scenario
 * names.
 */
export function countLateRequests({ expect = {} }: Pick<Scenario, 'expect'>, result: ScenarioResult): number {
  return judgeWrites(result, expect.lateFrom).lateRequests
}

function isExcused(write: Applied | undefined, writes: WritesVerdict): boolean {
  return write !== undefined && writes.isExcused(write)
}

function judgeEnds({ ends = {} }: Expectation, { sinks }: ScenarioResult): string[] {
  return [...sinks].flatMap(([name, { code, output, wasKilled }]) => {
    const wanted = ends[name]
    // only a sink that the scenario killed may end with another code than 0
    if (wanted === undefined)
      return code === 0 || wasKilled ? [] : [`${name} ended with ${code}: ${output.slice(-OUTPUT_CHARACTERS)}`]
    const isRight = code === wanted.code && output.includes(wanted.prints)
    return isRight
      ? []
      : [`${name} ended with ${code} instead of ${wanted.code} (${wanted.prints}): ${output.slice(-OUTPUT_CHARACTERS)}`]
  })
}

const OUTPUT_CHARACTERS = 600

function judgeWords(
  { prints = {}, neverPrints = {}, maxAssignments = {}, minStruck = 0 }: Expectation,
  { sinks, struck }: ScenarioResult
): string[] {
  const wrong: string[] = []
  const outputOf = (name: string): string => sinks.get(name)?.output ?? ''
  for (const [name, words] of Object.entries(prints))
    if (!outputOf(name).includes(words)) wrong.push(`${name} never printed "${words}"`)
  for (const [name, words] of Object.entries(neverPrints))
    if (outputOf(name).includes(words)) wrong.push(`${name} printed "${words}"`)
  for (const [name, maximum] of Object.entries(maxAssignments)) {
    const { assignments } = sinks.get(name) as SinkResult
    if (assignments > maximum) wrong.push(`${name} had ${assignments} assignments, with a limit of ${maximum}`)
  }
  if (struck < minStruck) wrong.push(`only ${struck} requests met a fault`)
  return wrong
}

/** Checks that every partition is committed to its end, including invisible records. */
function judgeProgress({ ends, committed }: ScenarioResult): string[] {
  return [...ends].flatMap(([partition, end]) =>
    (committed.get(partition) ?? 0) === end
      ? []
      : [`partition ${partition} is committed to ${committed.get(partition) ?? 0} of ${end}`]
  )
}

/** Finds the write with this mark that a document contained when the store was read in this span of time. */
type FindCause = (document: string, mark: number | null, span: Pick<Sample, 'fromMs' | 'atMs'>) => Applied | undefined

const AT_THE_END = { fromMs: Number.POSITIVE_INFINITY, atMs: Number.POSITIVE_INFINITY }

/**
 * Checks a sample: all records before the committed offsets have an outcome. Each document has the value of its last
 * such record, or a later one. A document may have an older value if an excused late write overwrote it, until the next
 * write of the document.
 */
function judgeSample(
  below: ScenarioResult['produced'],
  produced: ScenarioResult['produced'],
  sample: Sample,
  writes: WritesVerdict & { readonly causeOf: FindCause }
): string[] {
  const { stored, deadLetters } = sample
  const laterTombstones = new Map<string, number>()
  for (const { kind, id, mark } of produced) if (kind === 'tombstone') laterTombstones.set(id, mark)
  const poison = below.filter(({ kind }) => kind === 'poison').length
  const wrong =
    deadLetters < poison ? [`there were ${deadLetters} copies when ${poison} invalid records were committed`] : []
  for (const [id, { mark }] of lastOf(below)) {
    const there = stored.get(id)
    // a later record may have been written or deleted after the committed offsets of the sample were read
    const isFine = there === undefined ? (laterTombstones.get(id) ?? 0) >= mark : there >= mark
    if (isFine) continue
    const cause = writes.causeOf(id, there ?? null, sample)
    if (isExcused(cause, writes)) continue
    wrong.push(`${id} held ${there} when ${mark} was committed${cause === undefined ? '' : `: ${describe(cause)}`}`)
  }
  return wrong
}

/** Checks the final store: the last write wins, and no document is lost or stored twice. */
function judgeStore(
  settled: ScenarioResult['produced'],
  stored: ScenarioResult['stored'],
  isExcusedAs: (id: string, mark: number | null) => boolean
): string[] {
  const wrong: string[] = []
  const there = new Map(stored.map((document) => [document.id, document]))
  if (there.size < stored.length) wrong.push(`${stored.length - there.size} documents are stored twice`)
  for (const [id, { kind, mark }] of lastOf(settled)) {
    const expected = kind === 'tombstone' ? undefined : mark
    const held = there.get(id)?.['mark'] as number | undefined
    // an excused late write may have left another value
    if (held !== expected && !isExcusedAs(id, held ?? null)) wrong.push(`${id} holds ${held} instead of ${expected}`)
    if (held !== undefined && there.get(id)?.['pk'] !== id)
      wrong.push(`${id} has the key ${String(there.get(id)?.['pk'])}`)
    there.delete(id)
  }
  for (const id of there.keys()) wrong.push(`${id} was never produced`)
  return wrong
}

function lastOf(produced: ScenarioResult['produced']): ReadonlyMap<string, ScenarioResult['produced'][number]> {
  return new Map(produced.filter(({ kind }) => kind !== 'poison').map((one) => [one.id, one]))
}

/**
 * Checks that exactly the invalid records were copied. A second copy is allowed, since a record that was not committed
 * is read again.
 */
function judgeDeadLetters(settled: ScenarioResult['produced'], { deadLetters, produced }: ScenarioResult): string[] {
  const copied = new Set(deadLetters)
  const poison = new Set(produced.filter(({ kind }) => kind === 'poison').map(nameOf))
  return [
    ...settled
      .filter((one) => one.kind === 'poison' && !copied.has(nameOf(one)))
      .map((one) => `the invalid record at ${nameOf(one)} was not copied`),
    ...[...copied].filter((each) => !poison.has(each)).map((each) => `${each} was copied and is a valid record`)
  ]
}

function nameOf({ partition, offset }: { readonly partition: number; readonly offset: number }): string {
  return `${partition}/${offset}`
}

function judgeReplays({ isReplayed, isNeverReplayed }: Expectation, applied: readonly Applied[]): string[] {
  const again = writtenAgain(applied)
  if (isNeverReplayed === true) return [...again]
  return isReplayed === true && again.length === 0 ? ['nothing was written a second time'] : []
}

function writtenAgain(applied: readonly Applied[]): readonly string[] {
  const highest = new Map<string, number>()
  return applied.flatMap(({ document, by, mark }) => {
    if (mark === null) return []
    const before = highest.get(document) ?? 0
    highest.set(document, Math.max(before, mark))
    return mark <= before ? [`${document}: ${by} wrote ${mark} after ${before}`] : []
  })
}
