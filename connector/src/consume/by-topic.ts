import type { TopicPartition } from './consumer-port.ts'

/** Puts together what belongs to one topic, in the order it came. */
export function byTopic<Place extends TopicPartition>(places: readonly Place[]): ReadonlyMap<string, readonly Place[]> {
  const topics = new Map<string, Place[]>()
  for (const place of places) {
    const known = topics.get(place.topic)
    if (known === undefined) topics.set(place.topic, [place])
    else known.push(place)
  }
  return topics
}
