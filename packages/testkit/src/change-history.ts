import type { Random } from './random.ts'

/** A change of an entity, as a record of a topic partition or as a write of another program. */
export interface EntityChange {
  readonly entity: string
  /** Value of the field that the partition key is made of. */
  readonly area: string
  /** The former value, if the entity existed before. */
  readonly before: string | undefined
  /** `patch`: adds `amount` to the sum of a document that exists. */
  readonly kind: 'store' | 'delete' | 'patch'
  /** Orders all changes: no two changes of an entity have the same number. */
  readonly n: number
  readonly amount: number
}

/**
 * `documents`: whole documents and deletes. `moves`: also changed areas. `patches`: also sums, which need `offset`.
 * `offset`: the records of an entity are in one partition, in their order. `value`: they are in any partition, in any
 * order, and some of them twice.
 */
export interface HistoryShape {
  readonly changes: 'documents' | 'moves' | 'patches'
  readonly order: 'value' | 'offset'
  /** Whether another program writes some of the changes; only with `value`. */
  readonly hasForeign: boolean
}

/** The changes of a period, after which older records are gone from the topic. */
export interface HistoryPeriod {
  /** Records of each partition, in the order of their offsets. */
  readonly partitions: readonly (readonly EntityChange[])[]
  /** Changes that another program writes. */
  readonly foreign: readonly EntityChange[]
  /** The document of each entity after all changes so far; undefined if it is deleted. */
  readonly wanted: ReadonlyMap<string, WantedDocument | undefined>
}

export interface WantedDocument {
  readonly area: string
  readonly n: number
  readonly sum: number
}

/** Makes a random history of some periods. */
export function makeHistory(
  random: Random,
  shape: HistoryShape,
  { periods = 2, changes = 60 }: { readonly periods?: number; readonly changes?: number } = {}
): readonly HistoryPeriod[] {
  const entities = Array.from({ length: 1 + random.below(6) }, (_, index) => `e${index}`)
  const partitions = 1 + random.below(4)
  const documents = new Map<string, WantedDocument | undefined>()
  let n = 0
  return Array.from({ length: periods }, () => {
    const made = Array.from({ length: 5 + random.below(changes) }, () => makeChange())
    const isForeign = (): boolean => shape.hasForeign && shape.order === 'value' && random.chance(0.15)
    const foreign = made.filter(isForeign)
    const others = made.filter((change) => !foreign.includes(change))
    return { partitions: spread(others), foreign, wanted: new Map(documents) }
  })

  /** Makes a change, and keeps the document that is wanted after it. */
  function makeChange(): EntityChange {
    const entity = random.pick(entities)
    const current = documents.get(entity)
    const kind = kindOf(current)
    const isMove = shape.changes === 'moves' && kind === 'store' && (current === undefined || random.chance(0.5))
    const home = shape.changes === 'moves' ? 'a0' : `a${entity.charCodeAt(1) % 2}`
    const area = isMove ? `a${random.below(3)}` : (current?.area ?? home)
    const change = { entity, area, before: current?.area, kind, n: ++n, amount: 1 + random.below(5) }
    documents.set(entity, after(current, change))
    return change
  }

  function kindOf(current: WantedDocument | undefined): EntityChange['kind'] {
    if (shape.changes === 'patches' && current !== undefined && random.chance(0.7)) return 'patch'
    return current !== undefined && random.chance(0.2) ? 'delete' : 'store'
  }

  function spread(all: readonly EntityChange[]): readonly (readonly EntityChange[])[] {
    const spreads: EntityChange[][] = Array.from({ length: partitions }, () => [])
    if (shape.order === 'offset') {
      for (const change of all) spreads[change.entity.charCodeAt(1) % partitions].push(change)
      return spreads
    }
    const late = random.next() * 12
    const twice = all.flatMap((change) => (random.chance(0.1) ? [change, change] : [change]))
    const mixed = twice.map((change, index) => ({ change, at: index + random.next() * late }))
    for (const { change } of mixed.toSorted((one, other) => one.at - other.at)) random.pick(spreads).push(change)
    return spreads
  }
}

function after(
  current: WantedDocument | undefined,
  { kind, area, n, amount }: EntityChange
): WantedDocument | undefined {
  if (kind === 'delete') return undefined
  if (kind === 'store') return { area, n, sum: 0 }
  return { area, n, sum: (current?.sum ?? 0) + amount }
}

/** Compares documents with a history: the entities that lack their document, and documents that should not be there. */
export function judgeHistory(
  wanted: HistoryPeriod['wanted'],
  stored: readonly (WantedDocument & { readonly entity: string })[]
): readonly string[] {
  const wrong: string[] = []
  for (const [entity, document] of wanted) {
    const own = stored.filter((each) => each.entity === entity).map(textOf)
    const expected = document === undefined ? [] : [textOf(document)]
    if (own.join('; ') !== expected.join('; '))
      wrong.push(`${entity} is ${own.join('; ') || 'missing'} instead of ${expected.join('; ') || 'missing'}`)
  }
  for (const { entity } of stored) if (!wanted.has(entity)) wrong.push(`${entity} was never stored`)
  return wrong
}

function textOf({ area, n, sum }: WantedDocument): string {
  return `${n} in ${area} with the sum ${sum}`
}
