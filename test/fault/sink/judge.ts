import type { Applied, Sample, ScenarioResult, SinkResult } from './run-scenario.ts'
import type { Expectation, Scenario } from './scenario.ts'

/** What a scenario did wrong, a sentence each; empty when every promise was kept. */
export function judge({ expect = {} }: Pick<Scenario, 'expect'>, result: ScenarioResult): readonly string[] {
  const { isTopicGone = false, lateFrom } = expect
  const late = lateFrom === undefined ? new Set<string>() : lateDocuments(result.applied, lateFrom)
  const produced = result.produced.filter(({ id }) => !late.has(id))
  const below = (committed: ReadonlyMap<number, number>): ScenarioResult['produced'] =>
    produced.filter(({ partition, offset }) => offset < (committed.get(partition) ?? 0))
  const settled = isTopicGone ? produced : below(result.committed)
  const stored = result.stored.filter(({ id }) => !late.has(id))
  return [
    ...judgeEnds(expect, result),
    ...judgeWords(expect, result),
    ...judgeProgress(result),
    ...result.samples.flatMap((sample) => judgeSample(below(sample.committed), produced, sample)),
    ...(isTopicGone ? [] : judgeStore(settled, stored)),
    ...judgeLetters(settled, result),
    ...judgeOrder(
      expect,
      result.applied.filter(({ document }) => !late.has(document))
    )
  ]
}

/** Documents that a sink wrote behind others: in a scenario in which its partitions never come back to it. */
export function lateDocuments(applied: readonly Applied[], from: string): ReadonlySet<string> {
  const others = new Set<string>()
  const late = new Set<string>()
  for (const { document, by } of applied) {
    if (by !== from) others.add(document)
    else if (others.has(document)) late.add(document)
  }
  return late
}

function judgeEnds({ ends = {} }: Expectation, { sinks }: ScenarioResult): string[] {
  return [...sinks].flatMap(([name, { code, said }]) => {
    const wanted = ends[name]
    // null: a signal of the scenario ended it
    if (wanted === undefined) return code === 0 || code === null ? [] : [`${name} ended with ${code}: ${said.slice(-LAST_WORDS)}`]
    const isRight = code === wanted.code && said.includes(wanted.says)
    return isRight ? [] : [`${name} ended with ${code} instead of ${wanted.code} (${wanted.says}): ${said.slice(-LAST_WORDS)}`]
  })
}

const LAST_WORDS = 600

function judgeWords(
  { says = {}, saysNot = {}, mostAssignments = {}, leastStruck = 0 }: Expectation,
  { sinks, struck }: ScenarioResult
): string[] {
  const wrong: string[] = []
  const saidBy = (name: string): string => sinks.get(name)?.said ?? ''
  for (const [name, words] of Object.entries(says)) if (!saidBy(name).includes(words)) wrong.push(`${name} never said "${words}"`)
  for (const [name, words] of Object.entries(saysNot)) if (saidBy(name).includes(words)) wrong.push(`${name} said "${words}"`)
  for (const [name, most] of Object.entries(mostAssignments)) {
    const { assignments } = sinks.get(name) as SinkResult
    if (assignments > most) wrong.push(`${name} was told its partitions ${assignments} times, not ${most}`)
  }
  if (struck < leastStruck) wrong.push(`only ${struck} requests met a fault`)
  return wrong
}

/** Everything is committed, also what nobody sees. */
function judgeProgress({ ends, committed }: ScenarioResult): string[] {
  return [...ends].flatMap(([partition, end]) =>
    committed.get(partition) === end ? [] : [`partition ${partition} is committed to ${committed.get(partition)} of ${end}`]
  )
}

/** Below what was committed nothing waits for its outcome: each document has what came last there, or something later. */
function judgeSample(below: ScenarioResult['produced'], produced: ScenarioResult['produced'], { stored, letters }: Sample): string[] {
  const laterTombstones = new Map<string, number>()
  for (const { kind, id, mark } of produced) if (kind === 'tombstone') laterTombstones.set(id, mark)
  const poison = below.filter(({ kind }) => kind === 'poison').length
  const wrong = letters < poison ? [`${letters} copies were there when ${poison} records of poison were committed`] : []
  for (const [id, { mark }] of lastOf(below)) {
    const there = stored.get(id)
    const isFine = there === undefined ? (laterTombstones.get(id) ?? 0) >= mark : there >= mark
    if (!isFine) wrong.push(`${id} held ${there} when ${mark} was committed`)
  }
  return wrong
}

/** The last write wins; nothing is lost, and nothing is there twice. */
function judgeStore(settled: ScenarioResult['produced'], stored: ScenarioResult['stored']): string[] {
  const wrong: string[] = []
  const there = new Map(stored.map((document) => [document.id, document]))
  if (there.size < stored.length) wrong.push(`${stored.length - there.size} documents are doubled`)
  for (const [id, { kind, mark }] of lastOf(settled)) {
    const expected = kind === 'tombstone' ? undefined : mark
    if (there.get(id)?.['mark'] !== expected) wrong.push(`${id} holds ${String(there.get(id)?.['mark'])} instead of ${expected}`)
    if (expected !== undefined && there.get(id)?.['pk'] !== id) wrong.push(`${id} has the key ${String(there.get(id)?.['pk'])}`)
    there.delete(id)
  }
  for (const id of there.keys()) wrong.push(`${id} was never produced`)
  return wrong
}

function lastOf(produced: ScenarioResult['produced']): ReadonlyMap<string, ScenarioResult['produced'][number]> {
  return new Map(produced.filter(({ kind }) => kind !== 'poison').map((one) => [one.id, one]))
}

/** Exactly what cannot be stored was copied; a copy may stand there twice. */
function judgeLetters(settled: ScenarioResult['produced'], { letters, produced }: ScenarioResult): string[] {
  const copied = new Set(letters)
  const poison = new Set(produced.filter(({ kind }) => kind === 'poison').map(place))
  return [
    ...settled.filter((one) => one.kind === 'poison' && !copied.has(place(one))).map((one) => `poison at ${place(one)} was not copied`),
    ...[...copied].filter((each) => !poison.has(each)).map((each) => `${each} was copied and is no poison`)
  ]
}

function place({ partition, offset }: { readonly partition: number; readonly offset: number }): string {
  return `${partition}/${offset}`
}

function judgeOrder({ isReplayed, isNeverReplayed }: Expectation, applied: readonly Applied[]): string[] {
  const wrong = [...staleWrites(applied)]
  const again = [...byDocument(applied).values()].flatMap(writtenAgain)
  if (isReplayed === true && again.length === 0) wrong.push('nothing was written a second time')
  if (isNeverReplayed === true) wrong.push(...again)
  return wrong
}

function writtenAgain(writes: readonly Marked[]): readonly string[] {
  let highest = 0
  return writes.flatMap(({ document, by, mark }) => {
    const isAgain = mark <= highest
    highest = Math.max(highest, mark)
    return isAgain ? [`${document}: ${by} wrote ${mark} when ${highest} was written already`] : []
  })
}

type Marked = Applied & { readonly mark: number }

function byDocument(applied: readonly Applied[]): ReadonlyMap<string, readonly Marked[]> {
  const found = new Map<string, Marked[]>()
  for (const { document, by, mark } of applied) {
    if (mark === null) continue
    const writes = found.get(document)
    if (writes === undefined) found.set(document, [{ document, by, mark }])
    else writes.push({ document, by, mark })
  }
  return found
}

/**
 * Whoever goes on from what was committed writes again what was written behind it, up to where the former owner was. A write that goes
 * back and is not followed by that came too late: its sink had lost the partition.
 */
export function staleWrites(applied: readonly Applied[]): readonly string[] {
  return [...byDocument(applied).values()].flatMap(staleAmong)
}

function staleAmong(writes: readonly Marked[]): readonly string[] {
  const stale: string[] = []
  let highest = 0
  for (const [index, { document, by, mark }] of writes.entries()) {
    const before = writes[index - 1]
    if (mark < highest && mark < before.mark && !catchesUp(writes.slice(index), by, highest)) {
      stale.push(`${document}: ${by} wrote ${mark} after ${before.by} had written ${before.mark}, and did not go on from there`)
    }
    highest = Math.max(highest, mark)
  }
  return stale
}

/** A sink that ends in the middle leaves the rest to the next. */
function catchesUp(rest: readonly Marked[], by: string, highest: number): boolean {
  const end = rest.findIndex((write) => write.by !== by)
  const own = end < 0 ? rest : rest.slice(0, end)
  if (own.some(({ mark }) => mark >= highest)) return true
  const next = end < 0 ? undefined : rest[end]
  return next !== undefined && next.mark <= own.at(-1)!.mark
}
