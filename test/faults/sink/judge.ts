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
export function judge({ expect = {} }: Pick<Scenario, 'expect'>, result: ScenarioResult): readonly string[] {
  const { isTopicGone = false, lateFrom } = expect
  const { produced } = result
  const writes = judgeWrites(result, lateFrom)
  const below = (committed: ReadonlyMap<number, number>): ScenarioResult['produced'] =>
    produced.filter(({ partition, offset }) => offset < (committed.get(partition) ?? 0))
  const settled = isTopicGone ? produced : below(result.committed)
  const causeOf: FindCause = (document, mark, { fromMs, atMs }) => {
    const own = result.applied.filter((write) => write.document === document && write.appliedMs <= atMs)
    const at = own.findLastIndex((write) => write.mark === mark)
    // overwritten before the store was read: no cause of what was read then
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
    // forgiven: a sample that cannot be taken because the broker is away; not all of them
    ...(result.samples.length === 0 ? ['no sample could be taken'] : []),
    ...result.samples.flatMap((sample) =>
      judgeSample(below(sample.committed), produced, sample, { ...writes, causeOf })
    ),
    // forgiven: what the store holds at the end where the topic is gone, since it went while records were on their way;
    // the samples count
    ...(isTopicGone
      ? []
      : judgeStore(settled, result.stored, (id, mark) => isExcused(causeOf(id, mark, AT_THE_END), writes))),
    ...judgeLetters(settled, result),
    ...judgeReplays(expect, result.applied)
  ]
}

/**
 * How many requests came late and are forgiven: named and counted by their sink, or of the sink that the scenario
 * names.
 */
export function countLateRequests({ expect = {} }: Pick<Scenario, 'expect'>, result: ScenarioResult): number {
  return judgeWrites(result, expect.lateFrom).lateRequests
}

function isExcused(write: Applied | undefined, writes: WritesVerdict): boolean {
  return write !== undefined && writes.isExcused(write)
}

function judgeEnds({ ends = {} }: Expectation, { sinks }: ScenarioResult): string[] {
  return [...sinks].flatMap(([name, { code, said, wasKilled }]) => {
    const wanted = ends[name]
    // forgiven: the end of a sink that the scenario killed, and of no other
    if (wanted === undefined)
      return code === 0 || wasKilled ? [] : [`${name} ended with ${code}: ${said.slice(-LAST_WORDS)}`]
    const isRight = code === wanted.code && said.includes(wanted.says)
    return isRight
      ? []
      : [`${name} ended with ${code} instead of ${wanted.code} (${wanted.says}): ${said.slice(-LAST_WORDS)}`]
  })
}

const LAST_WORDS = 600

function judgeWords(
  { says = {}, saysNot = {}, mostAssignments = {}, leastStruck = 0 }: Expectation,
  { sinks, struck }: ScenarioResult
): string[] {
  const wrong: string[] = []
  const saidBy = (name: string): string => sinks.get(name)?.said ?? ''
  for (const [name, words] of Object.entries(says))
    if (!saidBy(name).includes(words)) wrong.push(`${name} never said "${words}"`)
  for (const [name, words] of Object.entries(saysNot))
    if (saidBy(name).includes(words)) wrong.push(`${name} said "${words}"`)
  for (const [name, most] of Object.entries(mostAssignments)) {
    const { assignments } = sinks.get(name) as SinkResult
    if (assignments > most) wrong.push(`${name} was told its partitions ${assignments} times, not ${most}`)
  }
  if (struck < leastStruck) wrong.push(`only ${struck} requests met a fault`)
  return wrong
}

/** Everything is committed, invisible records included. */
function judgeProgress({ ends, committed }: ScenarioResult): string[] {
  return [...ends].flatMap(([partition, end]) =>
    (committed.get(partition) ?? 0) === end
      ? []
      : [`partition ${partition} is committed to ${committed.get(partition) ?? 0} of ${end}`]
  )
}

/** Finds the write that a document held, with this mark, when the store was read in this span of time. */
type FindCause = (document: string, mark: number | null, span: Pick<Sample, 'fromMs' | 'atMs'>) => Applied | undefined

const AT_THE_END = { fromMs: Number.POSITIVE_INFINITY, atMs: Number.POSITIVE_INFINITY }

/**
 * Below what was committed nothing waits for its outcome: each document has what came last there, or something later.
 * Forgiven is a document that an excused late write has set back, until the next write of it.
 */
function judgeSample(
  below: ScenarioResult['produced'],
  produced: ScenarioResult['produced'],
  sample: Sample,
  writes: WritesVerdict & { readonly causeOf: FindCause }
): string[] {
  const { stored, letters } = sample
  const laterTombstones = new Map<string, number>()
  for (const { kind, id, mark } of produced) if (kind === 'tombstone') laterTombstones.set(id, mark)
  const poison = below.filter(({ kind }) => kind === 'poison').length
  const wrong = letters < poison ? [`${letters} copies were there when ${poison} records of poison were committed`] : []
  for (const [id, { mark }] of lastOf(below)) {
    const there = stored.get(id)
    // forgiven: what was written or deleted after the sample's commits were read, if a later record asks for it
    const isFine = there === undefined ? (laterTombstones.get(id) ?? 0) >= mark : there >= mark
    if (isFine) continue
    const cause = writes.causeOf(id, there ?? null, sample)
    if (isExcused(cause, writes)) continue
    wrong.push(`${id} held ${there} when ${mark} was committed${cause === undefined ? '' : `: ${describe(cause)}`}`)
  }
  return wrong
}

/** The last write wins; nothing is lost, and nothing is there twice. */
function judgeStore(
  settled: ScenarioResult['produced'],
  stored: ScenarioResult['stored'],
  isExcusedAs: (id: string, mark: number | null) => boolean
): string[] {
  const wrong: string[] = []
  const there = new Map(stored.map((document) => [document.id, document]))
  if (there.size < stored.length) wrong.push(`${stored.length - there.size} documents are doubled`)
  for (const [id, { kind, mark }] of lastOf(settled)) {
    const expected = kind === 'tombstone' ? undefined : mark
    const held = there.get(id)?.['mark'] as number | undefined
    // forgiven: what an excused late write has left behind
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
 * Exactly what cannot be stored was copied. Forgiven: a second copy, since a record that was not committed is read
 * again.
 */
function judgeLetters(settled: ScenarioResult['produced'], { letters, produced }: ScenarioResult): string[] {
  const copied = new Set(letters)
  const poison = new Set(produced.filter(({ kind }) => kind === 'poison').map(place))
  return [
    ...settled
      .filter((one) => one.kind === 'poison' && !copied.has(place(one)))
      .map((one) => `poison at ${place(one)} was not copied`),
    ...[...copied].filter((each) => !poison.has(each)).map((each) => `${each} was copied and is no poison`)
  ]
}

function place({ partition, offset }: { readonly partition: number; readonly offset: number }): string {
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
    return mark <= before ? [`${document}: ${by} wrote ${mark} when ${before} was written already`] : []
  })
}
