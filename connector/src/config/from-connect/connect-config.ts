import type { Translating } from './draft.ts'

/** Keys of a Kafka Connect configuration. The translation has to account for each of them. */
export interface ConnectConfig {
  /** Returns the value of a key and marks the key as translated; an empty string counts as absent. */
  readonly take: (key: string) => string | undefined
  /** Whether the key exists, translated or not. */
  readonly has: (key: string) => boolean
  /** Returns the keys with this prefix, without the prefix, and marks them as translated. */
  readonly takeAll: (prefix: string) => ReadonlyMap<string, string>
  /** Keys that are not translated yet. */
  readonly rest: () => readonly string[]
}

export function createConnectConfig(json: Readonly<Record<string, unknown>>): ConnectConfig {
  const values = new Map(Object.entries(json).map(([key, value]) => [key, textOf(value)]))
  const open = new Set(values.keys())

  function take(key: string): string | undefined {
    open.delete(key)
    const value = values.get(key)
    return value === '' ? undefined : value
  }

  return {
    take,
    has: (key) => values.has(key),
    takeAll: (prefix) => {
      const keys = [...open].filter((key) => key.startsWith(prefix))
      return new Map(keys.map((key) => [key.slice(prefix.length), take(key) ?? '']))
    },
    rest: () => [...open]
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

/** Translates the keys of Kafka Connect itself that are not about topics, converters or transforms. */
export function translateFramework(config: ConnectConfig, translating: Translating): void {
  const { change, needless } = translating
  if (config.take('tasks.max') !== undefined) {
    needless(
      'tasks.max',
      'is not needed: one process writes as fast as many tasks; to scale out, start more processes, which divide the partitions'
    )
  }
  for (const [key, why] of NEEDLESS) if (config.take(key) !== undefined) needless(key, why)
  for (const prefix of ['producer.override.', 'admin.override.']) {
    for (const name of config.takeAll(prefix).keys())
      change(`${prefix}${name}`, 'is not read: dead-letter records are written with the settings under kafka')
  }
}

const NEEDLESS: readonly (readonly [key: string, why: string])[] = [
  ['config.action.reload', 'references are read at the start: start the sink again when a secret has changed'],
  ['errors.retry.timeout', 'is not needed: the sink retries temporary errors by itself, with the partitions paused'],
  [
    'errors.retry.delay.max.ms',
    'is not needed: the sink retries temporary errors by itself, with the partitions paused'
  ],
  ['errors.log.enable', 'is not needed: rejected records are counted by code, and the first reasons are logged'],
  ['errors.log.include.messages', 'has no effect: logs never contain records'],
  ['errors.deadletterqueue.topic.replication.factor', 'is not needed: the dead-letter topic must exist'],
  [
    'errors.deadletterqueue.context.headers.enable',
    'is not needed: a dead-letter record always has the reason, in headers of the same names'
  ]
]

/**
 * Translates error handling: one policy instead of two tolerances, and the dead-letter topic. `own` is the tolerance
 * setting of the connector itself; the framework has another one.
 */
export function translateRejects(config: ConnectConfig, own: string | undefined, { draft, change }: Translating): void {
  const framework = config.take('errors.tolerance')
  const topic = config.take('errors.deadletterqueue.topic.name')
  const tolerates = [framework, own].some((level) => level?.toLowerCase() === 'all')
  if (tolerates && topic !== undefined) {
    draft.rejects = { topic }
    change(
      'errors.deadletterqueue.topic.name',
      'gets every rejected record now; the sink stops when more than half of the last 1,000 records were rejected (rejects.tolerance)'
    )
    return
  }
  if (!tolerates) {
    if (topic !== undefined)
      change(
        'errors.deadletterqueue.topic.name',
        'was never written to, because no tolerance was all: set rejects.topic to use it'
      )
    return
  }
  draft.rejects = { policy: 'skip' }
  change(
    'errors.tolerance',
    'is all, and no dead-letter topic is named: rejected records are counted and dropped; set rejects.topic to keep them'
  )
}
