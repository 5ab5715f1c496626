import { type LogEntry, logLevel } from 'kafkajs'
import { inspect } from 'node:util'
import type { Log } from '../log.ts'
import { CLOSED } from './connections.ts'
import type { KafkajsSurroundings } from './kafkajs-client.ts'

/** What it says of a topic that is gone, over and over. */
export const TOPIC_GONE = 'This server does not host this topic-partition'

/**
 * Passes on what kafkajs has to say, a level lower: it calls errors what it then cures by itself, and at the level of information
 * it speaks of everyday things. The same
 * sentence comes once in a while only. Stacks and what was sent stay out.
 */
export function clientLog({ clock, log, onEntry }: KafkajsSurroundings): (entry: LogEntry) => void {
  let saidAt = saidBy.get(log)
  if (saidAt === undefined) saidBy.set(log, (saidAt = new Map()))
  return (entry) => {
    onEntry?.(entry)
    const { level, namespace } = entry
    const { broker, groupId, topic, partition } = entry.log
    const message = textOf(entry.log.message)
    const error = entry.log['error'] === undefined ? undefined : textOf(entry.log['error'])
    if (level > logLevel.WARN || isOrderly(message, error)) return
    const sentence = `${message} ${error}`
    if (clock.now() - (saidAt.get(sentence) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return
    if (saidAt.size > MOST_SENTENCES) saidAt.clear()
    saidAt.set(sentence, clock.now())
    const facts = { kafkajs: namespace, error, broker, groupId, topic, partition }
    const say = level === logLevel.ERROR ? log.warn : log.info
    say(facts, `Kafka client: ${message}`)
  }
}

/** When each sentence was logged the last time: clients that are made again and again while a broker is away share it. */
const saidBy: WeakMap<Log, Map<string, number>> = new WeakMap()

/** Whatever it is: kafkajs declares messages as text, and logs errors in their place. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof Error ? value.message : inspect(value, { depth: 0 })
}

/** Whether the entry tells of a part of normal operation: a start, a rebalance, leaving the group. The sink logs those itself. */
function isOrderly(message: string, error: string | undefined): boolean {
  if (ORDERLY_MESSAGES.has(message) || message.includes(CLOSED) || error === REBALANCE || error === OUT_OF_RANGE) return true
  return error === UNKNOWN_MEMBER && message.startsWith('Response LeaveGroup')
}

const ORDERLY_MESSAGES: ReadonlySet<string> = new Set([
  // dead-letter records are sent again until they are stored, by the sink instead of by kafkajs
  'Limiting retries for the idempotent producer may invalidate EoS guarantees',
  // only this side can have ended the connection
  'Connection error: write after end'
])
const REBALANCE = 'The group is rebalancing, so a rejoin is needed'
/** The consumer says itself where reading continues. */
const OUT_OF_RANGE = 'The requested offset is not within the range of offsets maintained by the server'
/** In answer to LeaveGroup: the member has left already. */
const UNKNOWN_MEMBER = 'The coordinator is not aware of this member'

const QUIET_MS = 30_000
const MOST_SENTENCES = 100
