import type { EntityChange, HistoryShape, Random } from '@keystamp/testkit'
import { DELETED, POSITION } from '../../src/newest/position.ts'
import type { Operation } from '../../src/writer/operation.ts'

/** The way in which one run orders and writes its changes. */
export interface Course extends HistoryShape {
  /** The value is in a field of the records, or only in their positions; `offset`: there is none. */
  readonly by: 'field' | 'value' | 'offset'
  readonly isAtomic: boolean
}

export const MARKER_TTL = 3600

export function courseOf(random: Random): Course {
  const changes = random.pick(['documents', 'moves', 'patches'] as const)
  const order = changes === 'patches' ? 'offset' : random.pick(['value', 'value', 'offset'] as const)
  return {
    changes,
    order,
    hasForeign: random.chance(0.5),
    by: random.pick(
      order === 'offset' ? (['field', 'value', 'offset', 'offset'] as const) : (['field', 'value'] as const)
    ),
    isAtomic: changes !== 'moves' && random.chance(0.5)
  }
}

/** The operation for a record. */
export function operationOf(
  { entity, area, before, kind, n, amount }: EntityChange,
  { by }: Course,
  { partition, offset }: { readonly partition: number; readonly offset: number }
): Operation {
  const value = by === 'offset' || (by === 'field' && kind === 'store') ? {} : { value: n }
  const position = { ...value, place: { topic: 't', partition, offset } }
  if (kind === 'delete') return { kind, id: entity, key: area, position }
  if (kind === 'patch') {
    const steps = [{ op: 'incr', path: '/sum', value: amount } as const, { op: 'set', path: '/n', value: n } as const]
    return { kind, id: entity, key: area, steps, position }
  }
  const isMoved = before !== undefined && before !== area
  const old = isMoved ? { before: { id: entity, key: before } } : {}
  return { kind: 'upsert', record: { id: entity, area, n, sum: 0 }, position, ...old }
}

/** The documents that another program stores for a change, by their names in the simulated service. */
export function documentsOf({
  entity,
  area,
  before,
  kind,
  n
}: EntityChange): readonly { readonly name: string; readonly document: Readonly<Record<string, unknown>> }[] {
  const position = { [POSITION]: { value: n } }
  const markerOf = (key: string): Readonly<Record<string, unknown>> => ({
    id: entity,
    pk: key,
    n,
    [DELETED]: true,
    ...position,
    ttl: MARKER_TTL
  })
  const document = kind === 'delete' ? markerOf(area) : { id: entity, pk: area, area, n, sum: 0, ...position }
  const own = { name: nameOf(area, entity), document }
  const isMoved = kind === 'store' && before !== undefined && before !== area
  return isMoved ? [own, { name: nameOf(before, entity), document: markerOf(before) }] : [own]
}

function nameOf(key: string, entity: string): string {
  return JSON.stringify([key]) + entity
}

/** The number of the change that a document contains; its offset, if only offsets order the changes. */
export function numberOf(document: Readonly<Record<string, unknown>>, { by }: Course): number {
  const { value, offset } = document[POSITION] as { readonly value?: number; readonly offset?: number }
  return Number(by === 'offset' ? offset : value)
}
