import {
  createPlan,
  type KeyDefinition,
  KeystampError,
  type Plan,
  type PlanDefinition,
  type Splice,
  type StampedBytes
} from '@keystamp/core'
import { pointerOfPath } from '@keystamp/cosmos'
import type { SinkSettings } from '../config/settings.ts'
import { type IdDefinition, idDefinition } from '../config/id-definition.ts'
import { shapedFingerprints } from '../shape/shape-fingerprint.ts'
import { createPropertyEdit } from './property-edit.ts'

/** Writes key and id into JSON bytes, as the configuration and the container demand. */
export interface Stamper extends Pick<Plan, 'stampBytes' | 'fingerprint' | 'previousFingerprints'> {
  /** Plan that the container has to fit; undefined if records contain their keys at the key path of the container. */
  readonly plan: Plan | undefined
}

interface StamperOptions {
  readonly settings: Pick<SinkSettings, 'plan' | 'id' | 'shape'>
  readonly partitionKey: KeyDefinition
  /** From 0 up to, but not including, 1; for random suffixes only. */
  readonly random: (() => number) | undefined
}

/** Creates a stamper. Throws CONFIG_INVALID or PLAN_INVALID. */
export function createStamper({ settings, partitionKey, random }: StamperOptions): Stamper {
  const { stamper, definition } = createUnshaped({ settings, partitionKey, random })
  const { shape = [] } = settings
  return shape.length === 0 ? stamper : { ...stamper, ...shapedFingerprints(stamper, definition, shape) }
}

/** A stamper, and the plan that it reads records with. */
interface Unshaped {
  readonly stamper: Stamper
  readonly definition: PlanDefinition
}

function createUnshaped({ settings, partitionKey, random }: StamperOptions): Unshaped {
  const definition = completePlan(settings)
  if (definition === undefined) return inPlace(partitionKey, settings.id && idDefinition(settings.id))
  const plan = createPlan(definition, { requireId: true, ...(random === undefined ? {} : { random }) }) as Plan
  const { stampBytes, fingerprint, previousFingerprints } = plan
  return { stamper: { stampBytes, fingerprint, previousFingerprints, plan }, definition }
}

const ID_PATH = '/id'

/**
 * Stamper for records that contain their key at the key path of the container. It makes only the id, if `id` is
 * configured.
 */
function inPlace({ paths = [], version = 1 }: KeyDefinition, id: IdDefinition | undefined): Unshaped {
  const others = paths.filter((path) => path !== ID_PATH)
  if (others.length === 0) return withIdAlone(paths, id)
  // allows an empty string: a container accepts it as a key, and without a plan no rule forbids it
  const levels = others
    .map(pointerOfPath)
    .map((pointer) => ({ into: pointer, from: [{ field: pointer, empty: { use: '' } }] }) as const)
  const { plan: reading, definition } = readingPlan({ levels, hashVersion: version }, id)
  const { stampBytes, fingerprint, previousFingerprints } = reading
  const rest = { fingerprint, previousFingerprints, plan: undefined }
  const isWhole = others.length === paths.length
  return { stamper: { ...rest, stampBytes: isWhole ? stampBytes : withIdAmong(paths, stampBytes) }, definition }
}

/** Stamper for a container whose key has the id as one of several levels: a plan cannot write the id as a level. */
function withIdAmong(paths: readonly string[], stampBytes: Plan['stampBytes']): Plan['stampBytes'] {
  return (...from) => {
    const stamped = stampBytes(...from)
    if (!stamped.ok) return stamped
    let next = 0
    return { ...stamped, values: paths.map((path) => (path === ID_PATH ? stamped.id! : stamped.values[next++])) }
  }
}

/**
 * Stamper for a container that is partitioned by the id. A plan has to write a key, so the plan here writes a property
 * that is then removed again.
 */
function withIdAlone(paths: readonly string[], id: IdDefinition | undefined): Unshaped {
  const { plan, definition } = readingPlan({ into: '/key', from: [{ id: true }], existing: 'overwrite' }, id)
  const putId = createPropertyEdit([], ['id'])

  function stampBytes(...from: Parameters<Plan['stampBytes']>): ReturnType<Plan['stampBytes']> {
    const stamped = plan.stampBytes(...from)
    if (!stamped.ok) return stamped
    const values = paths.map(() => stamped.id!)
    const bare: StampedBytes = { ...stamped, values, splices: stamped.splices.filter(isCut) }
    return id === undefined ? bare : putId(bare, [JSON.stringify(stamped.id)])
  }

  return {
    stamper: { stampBytes, fingerprint: plan.fingerprint, previousFingerprints: [], plan: undefined },
    definition
  }
}

/** Whether the splice removes a repeated `id` or `ttl`. Cosmos DB might read another occurrence than the plan. */
function isCut({ before, value }: Splice): boolean {
  return before === '' && value === undefined
}

function readingPlan(given: PlanDefinition, id: IdDefinition | undefined): { plan: Plan; definition: PlanDefinition } {
  const definition = id === undefined ? given : { ...given, id }
  return { plan: createPlan(definition, { requireId: true }) as Plan, definition }
}

/**
 * The configured plan, with the ids of the settings if the plan defines none; undefined without a plan. Throws
 * CONFIG_INVALID.
 */
function completePlan({ plan, id }: Pick<SinkSettings, 'plan' | 'id'>): PlanDefinition | undefined {
  if (plan === undefined || id === undefined) return plan
  if (plan.id !== undefined) {
    throw new KeystampError('CONFIG_INVALID', 'Ids are defined twice, by the plan and by `id`. Remove one of them.')
  }
  return withId(plan, idDefinition(id))
}

/** Older versions of the plan get the ids too: the same sink wrote their documents, under the same settings. */
function withId(plan: PlanDefinition, id: IdDefinition): PlanDefinition {
  const previous = plan.previous?.map((older) => ({
    ...older,
    plan: older.plan.id === undefined ? withId(older.plan, id) : older.plan
  }))
  return { ...plan, id, ...(previous === undefined ? {} : { previous }) }
}
