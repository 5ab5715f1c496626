import { KeystampError } from '@keystamp/core'
import type { Admin } from 'kafkajs'
import { TopicPattern } from '../config/topic-pattern.ts'

/** The topics to read: those named, or those whose names match. Throws where one is missing, or none matches. */
export async function findTopics(admin: Pick<Admin, 'listTopics'>, wanted: readonly string[] | TopicPattern): Promise<readonly string[]> {
  const there = await admin.listTopics()
  return wanted instanceof TopicPattern ? matching(there, wanted) : named(there, wanted)
}

function matching(there: readonly string[], pattern: TopicPattern): readonly string[] {
  const found = there.filter((topic) => !isInternal(topic) && pattern.matches(topic)).toSorted()
  if (found.length === 0)
    throw new KeystampError('TOPIC_MISSING', `No topic's name matches ${pattern.source}. Check \`kafka.topicPattern\`.`)
  return found
}

function named(there: readonly string[], names: readonly string[]): readonly string[] {
  const missing = names.filter((name) => !there.includes(name))
  if (missing.length === 0) return names
  const list = missing.map((name) => `"${name}"`).join(', ')
  throw new KeystampError('TOPIC_MISSING', `There is no topic ${list}, or no right to read it. Check \`kafka.topics\`, or create it first.`)
}

// what Kafka keeps for itself is nobody's data
function isInternal(topic: string): boolean {
  return topic.startsWith('__')
}
