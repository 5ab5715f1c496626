import type { ConnectConfig } from './connect-config.ts'
import type { Translating } from './draft.ts'

/** How a transform of the worker renames topics before the connector sees them. */
export type Rename = (topic: string) => string

/** The topics, and the container of each. Both connectors write the map the same way: `topic#container,topic#container`. */
export function translateTopics(config: ConnectConfig, mapKey: string, rename: Rename, translating: Translating): void {
  const { draft, refuse, change } = translating
  const topics = listOf(config.take('topics'))
  const pattern = config.take('topics.regex')
  const map = parseMap(config.take(mapKey))
  if (pattern !== undefined) {
    draft.kafka.topicPattern = pattern
    change('topics.regex', 'is a regular expression of JavaScript now: look whether it means the same')
    draft.cosmos['container'] = containerOf([...new Set(map.values())], map)
    if (map.size === 0) refuse(mapKey, 'is missing: say under cosmos.container where the topics go')
    return
  }
  draft.kafka.topics = topics
  if (topics.length === 0) refuse('topics', 'is missing: name the topics under kafka.topics')
  const containers = new Map<string, string>()
  for (const topic of topics) {
    const container = map.get(rename(topic))
    if (container === undefined) refuse(mapKey, `names no container for the topic ${topic}: add it under cosmos.container`)
    else containers.set(topic, container)
  }
  const used = new Set(topics.map(rename))
  const unused = [...map.keys()].filter((topic) => !used.has(topic))
  if (unused.length > 0) change(mapKey, `also names ${unused.join(', ')}, which topics does not: left out`)
  draft.cosmos['container'] = containerOf([...new Set(containers.values())], containers)
}

function containerOf(names: readonly string[], map: ReadonlyMap<string, string>): unknown {
  return names.length === 1 ? names[0] : Object.fromEntries(map)
}

function parseMap(text: string | undefined): ReadonlyMap<string, string> {
  return new Map(
    listOf(text).map((entry) => {
      const [topic = '', container = ''] = entry.split('#').map((part) => part.trim())
      return [topic, container]
    })
  )
}

/** A list as Kafka writes it. */
export function listOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .replace(/^\[(.*)\]$/s, '$1')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
