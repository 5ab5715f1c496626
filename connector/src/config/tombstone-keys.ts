import type { PlanDefinition } from '@keystamp/core'
import { idDefinition } from './id-definition.ts'
import type { SinkSettings } from './settings.ts'

/** Settings that determine the partition key and the id of a document. */
export interface Keyed {
  readonly plan: SinkSettings['plan']
  readonly id: SinkSettings['id']
  /**
   * Key paths of the container, if known. Without a plan, a tombstone identifies its document only if the key path is
   * `/id`.
   */
  readonly keyPaths?: readonly string[]
}

/**
 * Explains why a tombstone does not identify the document to delete. Undefined if partition key and id come only from
 * the Kafka key, the topic and the partition: these are the same for the tombstone and the record that it deletes.
 */
export function whyUnresolved({ plan, id, keyPaths }: Keyed): string | undefined {
  if (plan === undefined)
    return whyIdUnresolved(id === undefined ? undefined : idDefinition(id)) ?? whyKeyUnresolved(keyPaths)
  if (plan.previous !== undefined) return 'which version of the plan applies is read from the value'
  const made = plan.id ?? (id === undefined ? undefined : idDefinition(id))
  const idReason = whyIdUnresolved(made)
  if (idReason !== undefined) return idReason
  for (const level of plan.levels ?? [plan]) {
    const reason = reasonOf(level.from, 'the key') ?? reasonOfSuffix(level.suffix)
    if (reason !== undefined) return reason
  }
  return undefined
}

type Level = NonNullable<PlanDefinition['levels']>[number]
type Component = Level['from'][number]

function whyIdUnresolved(id: PlanDefinition['id']): string | undefined {
  return id === undefined ? 'the id is read from the value' : reasonOf(id.from, 'the id')
}

function whyKeyUnresolved(keyPaths: readonly string[] | undefined): string | undefined {
  if (keyPaths === undefined || keyPaths.join() === '/id') return undefined
  return `without a plan the partition key (${keyPaths.join(', ')}) is read from the value`
}

function reasonOf(components: readonly Component[], what: string): string | undefined {
  return components.map((component) => reasonOfComponent(component, what)).find((reason) => reason !== undefined)
}

function reasonOfComponent(component: Component, what: string): string | undefined {
  if ('literal' in component) return undefined
  // the component is the id, which is checked separately
  if ('id' in component) return undefined
  if ('kafka' in component) {
    const { kafka } = component
    if (kafka === 'key' || kafka === 'topic' || kafka === 'partition') return undefined
    return `${what} is made of the ${kafka} of the record, and a tombstone has a different one`
  }
  const { orKey } = component
  const source = 'field' in component ? component.field : component.of
  if (typeof source !== 'string')
    return `${what} is made of the timestamp of the record, and a tombstone has a different one`
  if (orKey === undefined)
    return `${what} is made of ${source}, which is in the value: set \`orKey\` to its path in the Kafka key`
  return undefined
}

function reasonOfSuffix(suffix: Level['suffix']): string | undefined {
  if (suffix === undefined) return undefined
  const { by } = suffix
  if (by === 'random') return 'the suffix is drawn at random'
  if (by === 'offset') return 'the suffix is made of the offset of the record, and a tombstone has a different one'
  const fields = (Array.isArray(by) ? by : [by]) as readonly (
    | string
    | { readonly field: string; readonly orKey?: string }
  )[]
  const read = fields.find((each) => typeof each === 'string' || each.orKey === undefined)
  if (read === undefined) return undefined
  return `the suffix is made of ${typeof read === 'string' ? read : read.field}, which is in the value`
}

/** Whether records delete documents, in addition to those of the strategy `delete`. */
export function storesDeletes({ write, value }: Pick<SinkSettings, 'write' | 'value'>): boolean {
  const { operation } = write
  return (
    write.tombstones === 'delete' ||
    value.format === 'debezium' ||
    (operation !== undefined && [...operation.values.values(), operation.other, operation.missing].includes('delete'))
  )
}
