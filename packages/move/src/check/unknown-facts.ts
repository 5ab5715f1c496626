import { targetThroughputOf } from './estimate.ts'
import type { FindingCode, MoveEstimate, UnknownFact } from './move-check.ts'
import { type CheckedContainer, type Fact, type MoveFacts, valueOf } from './move-facts.ts'

type FactName = {
  readonly [Name in keyof CheckedContainer]: CheckedContainer[Name] extends Fact<unknown> ? Name : never
}[keyof CheckedContainer]

/** Facts of a container in words, and the findings that they leave open for the source and for the target. */
const OF_CONTAINER: readonly (readonly [FactName, string, readonly FindingCode[], readonly FindingCode[]])[] = [
  ['versionsFeed', 'change feed of all versions and deletes', ['retention-short'], []],
  ['scripts', 'stored procedures, triggers and user-defined functions', ['scripts-not-copied'], []],
  ['throughput', 'throughput', ['throughput-shared', 'ttl-expires-first', 'let-data-expire'], ['throughput-shared']],
  ['documents', 'number of documents', ['ttl-expires-first'], ['target-not-empty']],
  ['bytes', 'size', ['key-near-20-gb'], []],
  ['largestKeyBytes', 'size of the largest key', [], []]
]

const OF_SAMPLE: readonly FindingCode[] = [
  'documents-rejected',
  'collisions',
  'key-near-20-gb',
  'transactions-torn',
  'ttl-written',
  'ttl-expires-first'
]

/** Lists the facts that are unknown, each with the reason and the findings that it leaves open. */
export function unknownIn(facts: MoveFacts, { seconds }: Pick<MoveEstimate, 'seconds'>): readonly UnknownFact[] {
  const { source, target, sample, charges, prices } = facts
  const isServerless =
    valueOf(source.throughput)?.kind === 'serverless' || targetThroughputOf(facts)?.kind === 'serverless'
  return [
    ...OF_CONTAINER.flatMap(([name, words, leavesOpen]) =>
      unknownOf(source[name], `${words} of the source`, leavesOpen)
    ),
    ...(target === null
      ? []
      : OF_CONTAINER.flatMap(([name, words, , leavesOpen]) =>
          unknownOf(target[name], `${words} of the target`, leavesOpen)
        )),
    ...untoldOf(facts),
    ...unknownOf(sample, 'documents of the source', OF_SAMPLE),
    ...unknownOf(charges, 'RU of a document', ['ttl-expires-first']),
    ...unknownOf(prices, 'prices', []),
    ...(seconds === null && isServerless
      ? [
          {
            what: 'time of the copy',
            reason: SERVERLESS,
            leavesOpen: ['ttl-expires-first', 'retention-short'] as const
          }
        ]
      : [])
  ]
}

/** Facts about a change feed that is on, which the definition of the container does not tell. */
function untoldOf({ source, plan }: MoveFacts): readonly UnknownFact[] {
  const feed = valueOf(source.versionsFeed)
  if (feed?.isOn !== true) return []
  return [
    ...(feed.retentionMinutes === null
      ? [
          {
            what: 'retention of the change feed of all versions and deletes',
            reason: RETENTION,
            leavesOpen: ['retention-short'] as const
          }
        ]
      : []),
    ...(feed.previousImages === null && plan.basis === 'fields'
      ? [{ what: 'previous images of the source', reason: IMAGES, leavesOpen: [] }]
      : [])
  ]
}

const RETENTION = 'The container does not tell it: it is that of the continuous backup of the account, 7 or 30 days.'
const IMAGES = 'The container does not tell whether it keeps them. They count only where changes have them.'
const SERVERLESS =
  'A serverless container has no provisioned throughput: it serves up to 5,000 RU/s for each physical partition, without a guarantee.'

function unknownOf(fact: Fact<unknown>, what: string, leavesOpen: readonly FindingCode[]): readonly UnknownFact[] {
  return 'unknown' in fact ? [{ what, reason: fact.unknown, leavesOpen }] : []
}
