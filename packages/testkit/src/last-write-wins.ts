/** One write of a document, and its reported outcome. */
export interface ReportedWrite {
  /** Position in the order of all writes; the stored body contains it. */
  readonly mark: number
  readonly kind: 'upsert' | 'create' | 'replace' | 'delete' | 'patch'
  /** `gone`: a delete that found nothing, which counts as done. */
  readonly reported: 'applied' | 'superseded' | 'gone' | 'refused' | 'unknown'
  /** The write may be refused regardless of the stored document: for its body, a precondition, or a fault. */
  readonly isRefusable?: boolean
}

/** State of a document: the mark of its body, and the sum of the marks that were patched in since. */
export interface MarkedDocument {
  readonly mark: number
  readonly sum: number
}

/**
 * Checks that the last write wins: replaying the writes of one document in their order must lead to the stored
 * document. Returns a sentence for each mistake.
 */
export function judgeStored(
  document: string,
  writes: readonly ReportedWrite[],
  stored: MarkedDocument | undefined
): readonly string[] {
  const wrong: string[] = []
  let possible: readonly State[] = [undefined]
  for (const write of writes) {
    const next = possible.flatMap((state) => statesAfter(write, state))
    if (next.length === 0) wrong.push(`${document}: ${write.mark}, a ${write.kind}, cannot be ${write.reported}`)
    else possible = next
  }
  if (!possible.some((state) => state?.mark === stored?.mark && state?.sum === stored?.sum)) {
    wrong.push(`${document} holds ${JSON.stringify(stored)} instead of one of ${JSON.stringify(possible)}`)
  }
  return wrong
}

/** Checks that the marks that were applied to a document never decrease. */
export function judgeApplied(document: string, marks: readonly number[]): readonly string[] {
  return marks.flatMap((mark, index) =>
    index > 0 && mark < marks[index - 1] ? [`${document}: ${mark} was applied after ${marks[index - 1]}`] : []
  )
}

type State = MarkedDocument | undefined

/** States that a write with this outcome can lead to; none if the outcome is impossible. */
function statesAfter({ mark, kind, reported, isRefusable }: ReportedWrite, state: State): readonly State[] {
  const changed = changeOf(kind, mark, state)
  switch (reported) {
    case 'unknown':
      return changed === 'impossible' ? [state] : [state, changed]
    case 'superseded':
      return [state]
    case 'gone':
      return kind === 'delete' ? [undefined] : []
    case 'applied':
      return changed === 'impossible' ? [] : [changed]
    case 'refused':
      return isRefusable === true || changed === 'impossible' ? [state] : []
  }
}

function changeOf(kind: ReportedWrite['kind'], mark: number, state: State): State | 'impossible' {
  const isThere = state !== undefined
  switch (kind) {
    case 'upsert':
      return { mark, sum: 0 }
    case 'create':
      return isThere ? 'impossible' : { mark, sum: 0 }
    case 'replace':
      return isThere ? { mark, sum: 0 } : 'impossible'
    case 'delete':
      return isThere ? undefined : 'impossible'
    case 'patch':
      return isThere ? { mark: state.mark, sum: state.sum + mark } : 'impossible'
  }
}

/** An amount that was spent, and its time. */
export interface Spent {
  readonly atMs: number
  readonly ru: number
}

/** Maximum that was spent within any sliding second. */
export function maxInASecond(spent: readonly Spent[]): number {
  const sorted = spent.toSorted((a, b) => a.atMs - b.atMs)
  let maximum = 0
  let sum = 0
  let first = 0
  for (const { atMs, ru } of sorted) {
    sum += ru
    while (sorted[first].atMs <= atMs - 1000) sum -= sorted[first++].ru
    maximum = Math.max(maximum, sum)
  }
  return maximum
}
