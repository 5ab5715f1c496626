import { CHANGE_DATA_RULES } from './change-data-rules.ts'
import { type ConfigPath, dottedPath } from './config-path.ts'
import type { SinkSettings } from './settings.ts'
import {
  addressOf,
  checkContainers,
  hasRandomSuffix,
  isCredential,
  isEventHubs,
  reads,
  type Rule
} from './rule-conditions.ts'
import { needsRegistry } from './schema/format-schema.ts'
import { movedSettings } from './schema/move-schema.ts'
import { SHAPE_RULES, WRITE_RULES } from './write-rules.ts'

/** Every rule that involves more than one key; `docs/sink-reference.md` lists them. */
export const RULES: readonly Rule[] = [
  {
    at: 'kafka.topics',
    and: ['kafka.topicPattern'],
    demands: 'must be given unless kafka.topicPattern is given; both together are not allowed',
    holds: (_sink, written) => written('kafka.topics') !== written('kafka.topicPattern')
  },
  {
    at: 'kafka.heartbeatInterval',
    and: ['kafka.sessionTimeout'],
    demands: 'must be at most a third of kafka.sessionTimeout, so that one lost heartbeat does not end the session',
    holds: ({ kafka }) => kafka.heartbeatMs * 3 <= kafka.sessionTimeoutMs
  },
  {
    at: 'kafka.fetchMaxWait',
    and: ['kafka.heartbeatInterval'],
    demands: 'must be shorter than kafka.heartbeatInterval: heartbeats are sent between fetches',
    holds: ({ kafka }) => kafka.maxWaitMs < kafka.heartbeatMs
  },
  {
    at: 'cosmos.connectionString',
    and: ['cosmos.endpoint', 'cosmos.key'],
    demands: 'must not be given together with cosmos.endpoint or cosmos.key: it contains both',
    holds: (_sink, written) =>
      !written('cosmos.connectionString') || !(written('cosmos.endpoint') || written('cosmos.key'))
  },
  {
    at: 'cosmos.requestTimeout',
    and: ['kafka.sessionTimeout'],
    demands: 'must be shorter than kafka.sessionTimeout, so that no write outlives the ownership of a partition',
    holds: ({ cosmos, kafka }) => cosmos.requestTimeoutMs < kafka.sessionTimeoutMs
  },
  {
    at: 'cosmos.requestTimeout',
    and: ['kafka.rebalanceTimeout'],
    demands:
      'must be shorter than kafka.rebalanceTimeout: a member that does not join again within that time loses its partitions',
    holds: ({ cosmos, kafka }) => cosmos.requestTimeoutMs < kafka.rebalanceTimeoutMs
  },
  {
    at: 'kafka.sessionTimeout',
    and: ['kafka.brokers'],
    demands: 'must be 30s or more at Event Hubs',
    holds: ({ kafka }) => !isEventHubs(kafka) || kafka.sessionTimeoutMs >= 30_000
  },
  {
    at: 'kafka.metadataMaxAge',
    and: ['kafka.brokers'],
    demands: 'must be shorter than 240s at Event Hubs, which closes connections that are idle for that long',
    holds: ({ kafka }) => !isEventHubs(kafka) || kafka.metadataMaxAgeMs < 240_000
  },
  {
    at: 'kafka.tls',
    and: ['kafka.brokers'],
    demands: 'must not be false at Event Hubs, which accepts only TLS',
    holds: ({ kafka }) => !isEventHubs(kafka) || kafka.tls !== false
  },
  {
    at: 'kafka.tls.key',
    and: ['kafka.tls.cert'],
    demands: 'must be given together with kafka.tls.cert: a private key needs its certificate',
    holds: ({ kafka: { tls } }) => typeof tls === 'boolean' || (tls.key === undefined) === (tls.cert === undefined)
  },
  {
    at: 'kafka.sasl',
    and: ['kafka.brokers'],
    demands:
      'must be given at Event Hubs: `{ mechanism: plain, password: "${env:EVENT_HUBS_CONNECTION}" }`, or `{ mechanism: oauthbearer }` for Entra',
    holds: ({ kafka }) => !isEventHubs(kafka) || kafka.sasl !== undefined
  },
  {
    at: 'kafka.sasl.mechanism',
    and: ['kafka.brokers'],
    demands: 'must be "plain" or "oauthbearer" at Event Hubs',
    holds: ({ kafka }) => !isEventHubs(kafka) || !kafka.sasl?.mechanism.startsWith('scram')
  },
  {
    at: 'maxInFlightBytes',
    and: ['kafka.maxBytesPerPartition'],
    demands: 'must be at least four times kafka.maxBytesPerPartition',
    holds: ({ maxBytes, kafka }) => maxBytes >= 4 * kafka.maxBytesPerPartition
  },
  {
    at: 'stallTimeout',
    and: ['cosmos.requestTimeout'],
    demands: 'must be longer than cosmos.requestTimeout, since a record may wait that long for a response',
    holds: ({ stallMs, cosmos }) => stallMs > cosmos.requestTimeoutMs
  },
  {
    at: 'registry',
    and: ['key', 'value'],
    demands: 'must be given for the format `registry`, and for change data with this encoding',
    holds: ({ registry, key, value }) => registry !== undefined || !(needsRegistry(key) || needsRegistry(value))
  },
  {
    at: 'registry.password',
    and: ['registry.username', 'registry.token'],
    demands: 'must be given together with registry.username, and without registry.token',
    holds: ({ registry }) => registry === undefined || isCredential(registry)
  },
  {
    at: 'cosmos.share',
    and: ['cosmos.sharedThrough'],
    demands: 'must not be "partitions" if cosmos.sharedThrough is given: Redis already divides the budget',
    holds: ({ cosmos }) => cosmos.share !== 'partitions' || cosmos.sharedThrough === undefined
  },
  {
    at: 'cosmos.container',
    and: ['kafka.topics'],
    demands: 'must name a container for each topic, and for no other topic',
    holds: ({ cosmos, kafka }) => checkContainers(cosmos.container, kafka.topics)
  },
  {
    at: 'id',
    and: ['plan'],
    demands: 'must not be given when the plan makes ids itself: remove one of them',
    holds: ({ id, plan }) => id === undefined || plan?.id === undefined
  },
  {
    at: 'plan',
    and: ['allowDuplicatesOnReplay'],
    demands:
      'must not use random suffixes: a redelivered record would be stored twice. Compute the suffix from a field, or set allowDuplicatesOnReplay: true',
    holds: ({ plan, allowDuplicatesOnReplay }) =>
      allowDuplicatesOnReplay || plan === undefined || !hasRandomSuffix(plan)
  },
  ...WRITE_RULES,
  ...CHANGE_DATA_RULES,
  ...SHAPE_RULES,
  {
    at: 'move',
    and: ['cosmos.container'],
    demands: 'can be given only if all topics are written to one container, which cosmos.container names',
    holds: ({ move, cosmos: { container } }) =>
      move === undefined || (typeof container === 'string' && !container.includes('${'))
  },
  {
    at: 'move',
    and: ['acceptPlanChange'],
    demands: 'must not be given together with acceptPlanChange: true, which accepts any offset under another plan',
    holds: ({ move, acceptPlanChange }) => move === undefined || !acceptPlanChange
  },
  {
    at: 'move.to.container',
    and: ['cosmos', 'move.to.database'],
    demands: 'must be another container than that of cosmos',
    holds: (sink) => sink.move === undefined || addressOf(sink) !== addressOf(movedSettings(sink, sink.move))
  },
  {
    at: 'move.to.plan',
    and: ['plan', 'id', 'write', 'allowDuplicatesOnReplay'],
    demands: 'must keep the rules of plan: it takes its place after the switch',
    holds: (sink, written) => {
      if (sink.move === undefined) return true
      const moved = movedSettings(sink, sink.move)
      const broken = RULES.find(({ at, and, holds }) => [at, ...and].includes('plan') && holds(moved, written) !== true)
      return broken === undefined || `must keep the rules of plan, but after the switch ${broken.at} ${broken.demands}`
    }
  },
  {
    at: 'rejects.policy',
    and: ['rejects.topic', 'rejects.file'],
    demands: 'can be "copy" only if rejects.topic or rejects.file is given',
    holds: ({ rejects }) => rejects.policy !== 'copy' || rejects.topic !== undefined || rejects.file !== undefined
  },
  {
    at: 'rejects.topic',
    and: ['rejects.policy', 'rejects.file'],
    demands: 'can be given only with rejects.policy "copy", and without rejects.file',
    holds: ({ rejects }) => rejects.topic === undefined || (rejects.policy === 'copy' && rejects.file === undefined)
  },
  {
    at: 'rejects.file',
    and: ['rejects.policy'],
    demands: 'can be given only with rejects.policy "copy"',
    holds: ({ rejects }) => rejects.file === undefined || rejects.policy === 'copy'
  },
  {
    at: 'rejects.topic',
    and: ['kafka.topics', 'kafka.topicPattern'],
    demands: 'must not be one of the topics that the sink reads: it would read its rejected records again without end',
    holds: ({ rejects, kafka }) => rejects.topic === undefined || !reads(kafka.topics, rejects.topic)
  }
]

/** Finds the rules that do not hold, with the path of the key that each names. */
export function checkRules(
  sink: SinkSettings,
  written: (path: ConfigPath) => boolean,
  isBroken: (path: ConfigPath) => boolean
): readonly { readonly path: ConfigPath; readonly message: string }[] {
  return RULES.flatMap(({ at, and, demands, holds }) => {
    if ([at, ...and].some((key) => isBroken(dottedPath(key)))) return []
    const answer = holds(sink, (key) => written(dottedPath(key)))
    return answer === true ? [] : [{ path: dottedPath(at), message: answer === false ? demands : answer }]
  })
}
