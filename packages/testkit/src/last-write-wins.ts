/** One write of a document, and what its caller was told of it. */
export interface ToldWrite {
  /** Its place in the order of all writes; the body of what it stores carries it. */
  readonly mark: number
  readonly kind: 'upsert' | 'create' | 'replace' | 'delete' | 'patch'
  /** `gone`: a delete that found nothing, and counts as done. */
  readonly told: 'applied' | 'superseded' | 'gone' | 'refused' | 'unknown'
  /** It may be refused whatever is stored: for its body, a precondition, a fault. */
  readonly isRefusable?: boolean
}

/** A document: the mark of the body that is stored, and the sum of the marks that were patched in since. */
export interface MarkedDocument {
  readonly mark: number
  readonly sum: number
}

/** The last write wins: the writes of one document, replayed as they came, have to lead to what is stored. A sentence for each mistake. */
export function judgeStored(document: string, writes: readonly ToldWrite[], stored: MarkedDocument | undefined): readonly string[] {
  const wrong: string[] = []
  let possible: readonly State[] = [undefined]
  for (const write of writes) {
    const next = possible.flatMap((state) => statesAfter(write, state))
    if (next.length === 0) wrong.push(`${document}: ${write.mark}, a ${write.kind}, cannot be ${write.told}`)
    else possible = next
  }
  if (!possible.some((state) => state?.mark === stored?.mark && state?.sum === stored?.sum)) {
    wrong.push(`${document} holds ${JSON.stringify(stored)} instead of one of ${JSON.stringify(possible)}`)
  }
  return wrong
}

/** No document goes back: the marks of what was applied to it never fall. */
export function judgeApplied(document: string, marks: readonly number[]): readonly string[] {
  return marks.flatMap((mark, index) =>
    index > 0 && mark < marks[index - 1] ? [`${document}: ${mark} was applied after ${marks[index - 1]}`] : []
  )
}

type State = MarkedDocument | undefined

/** The states that a write with this answer can lead to; none when the answer cannot be. */
function statesAfter({ mark, kind, told, isRefusable }: ToldWrite, state: State): readonly State[] {
  const changed = changeOf(kind, mark, state)
  switch (told) {
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

function changeOf(kind: ToldWrite['kind'], mark: number, state: State): State | 'impossible' {
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
