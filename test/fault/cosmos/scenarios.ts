import type { Scenario } from './scenario.ts'

/** Everything that Cosmos DB and the network are known to do to a writer. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'operations-throttled': {
    title: 'waits for operations that are told to wait, and rejects none',
    faults: [
      { on: 'bulkOperation', probability: 0.3, count: 200, action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 15 } }
    ],
    leastThrottled: 10
  },
  'request-throttled': {
    title: 'waits when a whole request is told to wait',
    faults: [{ on: 'bulk', probability: 0.4, count: 10, action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 20 } }],
    leastThrottled: 1
  },
  'budget-of-the-range-spent': {
    title: 'lives within what was bought, though nobody tells it how much that is',
    emulator: { ranges: 2, ruPerSecond: 800, throttle: true },
    writer: { share: 1_000_000 },
    writes: 800,
    leastThrottled: 1
  },
  'budget-carried-as-debt': {
    title: 'gets along with a service that carries the debt of a second over, and throttles whole requests',
    emulator: { ranges: 2, ruPerSecond: 4000, throttle: { bulk: 'request', debt: 'carried', retryAfter: 'long-tail' } },
    writer: { share: 1_000_000 },
    writes: 400
  },
  'throttled-for-ever': {
    title: 'counts no attempt and rejects nothing while it is throttled for longer than it would try',
    writer: { retryForMs: 200 },
    faults: [{ on: 'write', action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 25 } }],
    calmAfterMs: 1200,
    writes: 100,
    leastThrottled: 10
  },
  'gateway-throttled': {
    title: 'holds all ranges back when the gateway throttles',
    emulator: { ranges: 4 },
    faults: [{ on: 'bulk', count: 3, action: { kind: 'status', status: 429, subStatus: 3201, retryAfterMs: 50 } }],
    leastThrottled: 1
  },
  'hot-partition-key': {
    title: 'holds one key back without its range',
    faults: [
      { on: 'bulkOperation', partitionKey: '["k1"]', count: 20, action: { kind: 'status', status: 429, subStatus: 3214, retryAfterMs: 20 } }
    ],
    leastThrottled: 1
  },
  'request-times-out': {
    title: 'repeats what a request timeout leaves open',
    faults: [{ on: 'bulk', probability: 0.3, count: 8, action: { kind: 'applyThenStatus', status: 408 } }],
    mayEndUnknown: true,
    meets: ['408']
  },
  'operations-time-out': {
    title: 'repeats single operations that timed out, applied or not',
    faults: [
      { on: 'bulkOperation', probability: 0.1, count: 30, action: { kind: 'applyThenStatus', status: 408 } },
      { on: 'bulkOperation', probability: 0.1, count: 30, action: { kind: 'status', status: 408 } }
    ],
    mayEndUnknown: true,
    meets: ['408']
  },
  'range-splits': {
    title: 'follows a range that splits while it is written to',
    emulator: { ranges: 2, moveMs: 60 },
    happenings: [{ after: 100, happens: ({ emulator, database, container }) => emulator.split(database, container, '0') }],
    meets: ['410']
  },
  'range-splits-again': {
    title: 'follows a range that splits, and a child that splits at once',
    emulator: { ranges: 1, moveMs: 30 },
    happenings: [
      {
        after: 60,
        happens: async ({ emulator, database, container }) => {
          const [child] = await emulator.split(database, container, '0')
          await emulator.split(database, container, child)
        }
      }
    ],
    meets: ['410']
  },
  'ranges-merge': {
    title: 'follows two ranges that merge',
    emulator: { ranges: 3, moveMs: 60 },
    happenings: [{ after: 100, happens: ({ emulator, database, container }) => emulator.merge(database, container, '1') }],
    meets: ['410']
  },
  'split-takes-long': {
    title: 'waits while the parent is listed and yet answers that it is splitting',
    emulator: { ranges: 1, moveMs: 1500 },
    happenings: [{ after: 50, happens: ({ emulator, database, container }) => emulator.split(database, container, '0') }],
    meets: ['410']
  },
  'split-and-throttled': {
    title: 'keeps the order through a split while operations are throttled and answers are lost',
    emulator: { ranges: 1, moveMs: 40, latencyMs: 0 },
    faults: [
      { on: 'bulkOperation', probability: 0.2, count: 60, action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 5 } },
      { on: 'bulk', probability: 0.2, count: 5, action: { kind: 'applyThenDrop' } }
    ],
    happenings: [{ after: 80, happens: ({ emulator, database, container }) => emulator.split(database, container, '0') }],
    mayEndUnknown: true,
    meets: ['410']
  },
  'replica-moves': {
    title: 'repeats after 410 without a sub-status, the range being where it was',
    faults: [{ on: 'bulk', count: 3, action: { kind: 'status', status: 410 } }],
    meets: ['410']
  },
  'list-of-ranges-unreadable': {
    title: 'asks again when the list of ranges cannot be read after a split',
    emulator: { ranges: 1, moveMs: 10 },
    faults: [{ on: 'ranges', after: 1, count: 2, action: { kind: 'status', status: 503 } }],
    happenings: [{ after: 50, happens: ({ emulator, database, container }) => emulator.split(database, container, '0') }],
    meets: ['410']
  },
  'document-too-large': {
    title: 'rejects the one operation that is too large and none of those beside it',
    faults: [{ on: 'bulkOperation', id: 'd3', count: 1, action: { kind: 'status', status: 413 } }],
    mayBeRejected: true
  },
  'request-too-large': {
    title: 'sends halves of a request that is refused as too large',
    faults: [{ on: 'bulk', count: 3, action: { kind: 'status', status: 413 } }],
    meets: ['413']
  },
  'answer-too-large': {
    title: 'repeats what was applied though the answer had no room for it',
    faults: [{ on: 'bulkOperation', probability: 0.1, count: 10, action: { kind: 'applyThenStatus', status: 413, subStatus: 3402 } }],
    mayEndUnknown: true,
    meets: ['413']
  },
  'concurrent-writers': {
    title: 'repeats operations that met another writer',
    faults: [{ on: 'bulkOperation', probability: 0.2, count: 40, action: { kind: 'status', status: 449 } }],
    meets: ['449']
  },
  'service-fails': {
    title: 'repeats after errors of the service, applied or not',
    faults: [
      { on: 'bulk', probability: 0.2, count: 4, action: { kind: 'status', status: 500 } },
      { on: 'bulk', probability: 0.2, count: 4, action: { kind: 'applyThenStatus', status: 500 } }
    ],
    mayEndUnknown: true,
    meets: ['500']
  },
  'service-unavailable': {
    title: 'waits out a service that is unavailable for a while',
    faults: [{ on: 'write', action: { kind: 'status', status: 503 } }],
    calmAfterMs: 500,
    mayEndUnknown: true,
    meets: ['503']
  },
  'connection-reset': {
    title: 'opens new connections after resets',
    faults: [{ on: 'bulk', probability: 0.4, count: 8, action: { kind: 'reset' } }],
    mayEndUnknown: true,
    meets: ['lost']
  },
  'answer-lost-after-apply': {
    title: 'repeats, and confirms what cannot be repeated, when the answer was lost after the writes were applied',
    faults: [{ on: 'bulk', probability: 0.4, count: 8, action: { kind: 'applyThenDrop' } }],
    mayEndUnknown: true,
    meets: ['lost']
  },
  'answer-later-than-patience': {
    title: 'stops waiting for an answer that comes too late',
    writer: { requestTimeoutMs: 150 },
    faults: [{ on: 'bulk', count: 2, action: { kind: 'applyThenDelay', ms: 600 } }],
    mayEndUnknown: true,
    meets: ['lost']
  },
  'answer-short': {
    title: 'takes an answer that leaves out operations for none',
    faults: [{ on: 'bulk', count: 4, action: { kind: 'shortAnswer', missing: 1 } }],
    mayEndUnknown: true,
    meets: ['lost']
  },
  'answer-of-a-proxy': {
    title: 'repeats when a proxy answers in HTML, or nobody answers anything',
    faults: [
      { on: 'bulk', count: 3, action: { kind: 'htmlBody' } },
      { on: 'bulk', count: 3, action: { kind: 'emptyBody' } }
    ],
    mayEndUnknown: true,
    meets: ['502', '503']
  },
  'answer-taken-but-malformed': {
    title: 'repeats when an answer says that all is well and cannot be read',
    faults: [
      { on: 'bulk', count: 2, action: { kind: 'htmlBody', status: 200 } },
      { on: 'bulk', count: 2, action: { kind: 'emptyBody', status: 200 } }
    ],
    mayEndUnknown: true,
    meets: ['lost']
  },
  'clock-jumps': {
    title: 'is not disturbed by clocks that jump',
    emulator: { ranges: 2, ruPerSecond: 8000, throttle: true },
    happenings: [
      { after: 80, happens: ({ emulator }) => emulator.clock.advance(600_000) },
      { after: 160, happens: ({ emulator }) => emulator.clock.advance(-500_000) }
    ]
  },
  'token-expires': {
    title: 'signs anew when a signature is no longer taken',
    faults: [{ on: 'bulk', after: 2, count: 1, action: { kind: 'status', status: 401 } }],
    meets: ['401']
  },
  'permission-taken-away': {
    title: 'stops when nothing it signs is taken',
    faults: [{ on: 'bulk', after: 1, action: { kind: 'status', status: 401 } }],
    stops: 'COSMOS_UNAUTHORIZED'
  },
  forbidden: {
    title: 'stops when it may not write',
    faults: [{ on: 'bulk', after: 1, action: { kind: 'status', status: 403 } }],
    stops: 'COSMOS_UNAUTHORIZED'
  },
  'region-fails-over': {
    title: 'asks the account anew when a region takes no writes',
    faults: [{ on: 'bulk', after: 1, count: 3, action: { kind: 'status', status: 403, subStatus: 3 } }],
    meets: ['403']
  },
  'partition-full': {
    title: 'rejects what a full logical partition does not take',
    faults: [{ on: 'bulkOperation', partitionKey: '["k1"]', count: 5, action: { kind: 'status', status: 403, subStatus: 1014 } }],
    mayBeRejected: true
  },
  'container-deleted': {
    title: 'stops when its container is deleted under way',
    happenings: [{ after: 100, happens: ({ deleteContainer }) => deleteContainer() }],
    stops: 'CONTAINER_MISSING'
  },
  'container-created-anew': {
    title: 'goes on when its container was deleted and created anew',
    onlyUpserts: true,
    isStoreLost: true,
    happenings: [
      {
        after: 100,
        happens: async ({ deleteContainer, createContainer }) => {
          await deleteContainer()
          await createContainer()
        }
      }
    ]
  },
  'name-cache-stale': {
    title: 'reads container and ranges anew when the service says that the container is another one',
    faults: [{ on: 'bulk', after: 1, count: 2, action: { kind: 'status', status: 410, subStatus: 1000 } }],
    meets: ['410']
  },
  'everything-at-once': {
    title: 'keeps every promise while everything goes wrong at once',
    emulator: { ranges: 2, ruPerSecond: 20_000, throttle: true, moveMs: 30, latencyMs: 0 },
    writes: 500,
    faults: [
      { on: 'bulkOperation', probability: 0.05, action: { kind: 'status', status: 429, retryAfterMs: 10 } },
      { on: 'bulkOperation', probability: 0.03, action: { kind: 'status', status: 449 } },
      { on: 'bulkOperation', probability: 0.03, action: { kind: 'applyThenStatus', status: 503 } },
      { on: 'bulk', probability: 0.05, action: { kind: 'applyThenDrop' } },
      { on: 'bulk', probability: 0.05, action: { kind: 'reset' } },
      { on: 'bulk', probability: 0.05, action: { kind: 'status', status: 503 } },
      { on: 'bulk', probability: 0.05, action: { kind: 'delay', ms: 30 } }
    ],
    calmAfterMs: 3000,
    happenings: [
      { after: 100, happens: ({ emulator, database, container }) => emulator.split(database, container, '0') },
      { after: 300, happens: ({ emulator, database, container }) => emulator.merge(database, container, '1') }
    ],
    mayEndUnknown: true
  }
}
