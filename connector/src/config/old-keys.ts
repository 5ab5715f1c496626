import type { PlanDefinition } from '@keystamp/core'
import { idDefinition } from './id-definition.ts'
import type { SinkSettings } from './settings.ts'

/**
 * Explains why the previous image of a document does not give its old key and id. Undefined if both are made only of
 * the image, the Kafka key, the topic and the partition: these are the same for all records of a document.
 */
export function whyOldKeyUnknown({ plan, id }: Pick<SinkSettings, 'plan' | 'id'>): string | undefined {
  if (plan === undefined) return 'without a plan no key is made of the fields of an image'
  const made = plan.id ?? (id === undefined ? undefined : idDefinition(id))
  return whyUnknownId(made) ?? whyUnknownKey(plan)
}

type Level = NonNullable<PlanDefinition['levels']>[number]
type Component = Level['from'][number]

function whyUnknownId(id: PlanDefinition['id']): string | undefined {
  return id?.from.map((component) => whyUnknown(component, 'the id')).find((reason) => reason !== undefined)
}

function whyUnknownKey(plan: PlanDefinition): string | undefined {
  for (const { from, suffix } of plan.levels ?? [plan]) {
    const reason = from.map((component) => whyUnknown(component, 'the key')).find((each) => each !== undefined)
    if (reason !== undefined) return reason
    if (suffix?.by === 'random') return 'the suffix is drawn at random'
    if (suffix?.by === 'offset') return `the suffix is made of the offset of the record${ANOTHER}`
  }
  return plan.previous
    ?.map((older) => whyUnknownId(older.plan.id) ?? whyUnknownKey(older.plan))
    .find((reason) => reason !== undefined)
}

function whyUnknown(component: Component, what: string): string | undefined {
  if ('literal' in component || 'id' in component) return undefined
  if ('kafka' in component) {
    const { kafka } = component
    if (kafka === 'key' || kafka === 'topic' || kafka === 'partition') return undefined
    return `${what} is made of the ${kafka} of the record${ANOTHER}`
  }
  const source = 'field' in component ? component.field : component.of
  return typeof source === 'string' ? undefined : `${what} is made of the timestamp of the record${ANOTHER}`
}

const ANOTHER = ', and the record before had another one'
