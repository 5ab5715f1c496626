import type { PlanDefinition } from '@keystamp/core'
import { eventHubsHost } from './event-hubs.ts'
import type { SinkSettings } from './settings.ts'
import { TopicPattern } from './topic-pattern.ts'

/** A rule between keys of a sink. */
export interface Rule {
  /** Key that the message names if the rule does not hold. */
  readonly at: string
  /** Other keys that the rule reads. */
  readonly and: readonly string[]
  /** The demand, as a sentence about `at`. */
  readonly demands: string
  /**
   * Returns true if the rule holds; otherwise false, or a message that is more exact than `demands`. `written` returns
   * whether a key is in the configuration.
   */
  readonly holds: (sink: SinkSettings, written: (key: string) => boolean) => boolean | string
}

export function addressOf({ cosmos: { endpoint, database, container } }: SinkSettings): string {
  return [new URL(endpoint).href, database, container as string].join(' ')
}

export function isEventHubs({ brokers }: SinkSettings['kafka']): boolean {
  return eventHubsHost(brokers) !== undefined
}

export function isCredential({ username, password, token }: NonNullable<SinkSettings['registry']>): boolean {
  return (username === undefined) === (password === undefined) && (token === undefined || username === undefined)
}

export function checkContainers(
  container: SinkSettings['cosmos']['container'],
  topics: SinkSettings['kafka']['topics']
): boolean | string {
  if (typeof container === 'string') {
    const groups = topics instanceof TopicPattern ? topics.groups : []
    const unknown = [...container.matchAll(/\$\{([^}]*)\}/g)].find(
      ([, name]) => name !== 'topic' && !groups.includes(name)
    )
    if (unknown === undefined) return true
    const known = ['topic', ...groups].map((name) => `\${${name}}`).join(', ')
    const hint = topics instanceof TopicPattern ? '' : '; groups need kafka.topicPattern'
    return `can contain ${known}, but not ${unknown[0]}${hint}`
  }
  if (topics instanceof TopicPattern) {
    const unknown = [...container.keys()].find((topic) => !topics.matches(topic))
    return unknown === undefined || `names the topic ${unknown}, which kafka.topicPattern does not match`
  }
  const missing = topics.find((topic) => !container.has(topic))
  if (missing !== undefined) return `names no container for the topic ${missing}`
  const unknown = [...container.keys()].find((topic) => !topics.includes(topic))
  return unknown === undefined || `names the topic ${unknown}, which kafka.topics does not name`
}

export function reads(topics: SinkSettings['kafka']['topics'], topic: string): boolean {
  return topics instanceof TopicPattern ? topics.matches(topic) : topics.includes(topic)
}

/** Whether any version of a plan has a random suffix. */
export function hasRandomSuffix(plan: PlanDefinition): boolean {
  if ((plan.levels ?? [plan]).some(({ suffix }) => suffix?.by === 'random')) return true
  return (plan.previous ?? []).some((older) => hasRandomSuffix(older.plan))
}

/** Top-level properties of a document into which the plan writes the partition key. */
export function keyMembers(plan: PlanDefinition | undefined): readonly string[] {
  if (plan === undefined) return []
  return (plan.levels ?? [plan]).map(({ into }) =>
    (into.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')
  )
}
