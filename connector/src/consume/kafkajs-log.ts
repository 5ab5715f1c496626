import { type LogEntry, logLevel } from 'kafkajs'
import type { KafkajsSurroundings } from './kafkajs-client.ts'

/** kafkajs says this, and nothing else, before it overwrites the position of the group. */
export const OUT_OF_RANGE = 'Offset out of range, resetting to default offset'

/**
 * Passes on what kafkajs has to say, a level lower: it calls errors what it then cures by itself, and at the level of information
 * it speaks of everyday things. Stacks and what was sent stay out.
 */
export function kafkajsLog({ log, onEntry }: KafkajsSurroundings): (entry: LogEntry) => void {
  return (entry) => {
    onEntry?.(entry)
    const { level, namespace } = entry
    const { message, error, broker, groupId, topic, partition } = entry.log
    if (level > logLevel.WARN) return
    const facts = { kafkajs: namespace, error, broker, groupId, topic, partition }
    const say = level === logLevel.ERROR ? log.warn : log.info
    say(facts, `Kafka client: ${message}`)
  }
}
