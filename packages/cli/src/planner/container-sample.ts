import { type ContainerSample, pointerOfPath, sampleContainer } from '@keystamp/cosmos'
import { createRandom, formatCount, formatMany, parseRu, type Workload } from '@keystamp/planner'
import type { Dependencies } from '../dependencies.ts'
import { UsageError } from '../exit-codes.ts'
import { findCredentials, parseTarget } from '../load/target.ts'
import { inBatches, type OpenSample, type SampleProgress } from './open-sample.ts'
import type { PlanCommandOptions } from './plan-options.ts'

/** Number of documents that are read from a container without `--sample`. */
const DEFAULT_DOCUMENTS = 10_000
const DEFAULT_RU_PER_SECOND = 400

/** Reads random documents of the container of `--from-container`, and its key, throughput and size. */
export async function openContainer(
  { fromContainer, readLimit, quiet }: PlanCommandOptions,
  { count = DEFAULT_DOCUMENTS, seed }: { readonly count: number | undefined; readonly seed: number },
  { env, signal, stderr }: Dependencies,
  onProgress: SampleProgress
): Promise<OpenSample> {
  const ruPerSecond = ruPerSecondOf(readLimit)
  const { target, credentials } = await inOwnOption(async () => {
    const parsed = parseTarget(fromContainer, env)
    return { target: parsed, credentials: await findCredentials(parsed, env) }
  })
  const { endpoint, database, container } = target
  const found = await sampleContainer({
    endpoint,
    database,
    container,
    ...credentials,
    metadataBy: 'direct',
    count,
    ruPerSecond,
    random: createRandom(seed),
    signal,
    onProgress: (documents) => onProgress(documents, 0)
  })
  if (quiet !== true) stderr.write(`keystamp: ${describeContainer(`${database}/${container}`, found)}\n`)
  const records = found.sample.map((document) => encoder.encode(JSON.stringify(document)))
  return { batches: inBatches(records), method: found.method, known: factsOf(found) }
}

const encoder = new TextEncoder()

function ruPerSecondOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_RU_PER_SECOND
  const limit = parseRu(text.replace(/\/s$/, ''))
  if (!limit.ok) throw new UsageError(`--read-limit ${limit.reason}.`)
  if (limit.value < 1) throw new UsageError('--read-limit must be at least 1 RU/s.')
  return limit.value
}

/** Replaces the option in messages, because the code for `keystamp load` names `--to`. */
async function inOwnOption<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(error.message.replaceAll(/--to\b/g, '--from-container'))
  }
}

/** Facts for the workload, unless the user gives other ones. */
function factsOf({
  definition: { partitionKey, defaultTtl },
  documents,
  partitions,
  offer
}: ContainerSample): Partial<Workload> {
  return {
    items: documents,
    presentKey: partitionKey.paths.map(pointerOfPath),
    // the RU/s of a database are not those of the container
    ...('unknown' in offer || offer.of === 'database'
      ? {}
      : { presentContainer: { partitions, ruPerSecond: offer.ruPerSecond } }),
    ...(defaultTtl === undefined || defaultTtl < 1 ? {} : { ttlSeconds: defaultTtl })
  }
}

function describeContainer(
  name: string,
  { definition, offer, partitions, documents, sample, chargeRu }: ContainerSample
): string {
  const throughput =
    'unknown' in offer
      ? 'an unknown throughput'
      : `${formatCount(offer.ruPerSecond)} RU/s${offer.autoscaleMax === undefined ? '' : ' (autoscale)'}${offer.of === 'database' ? ', shared with the other containers of the database' : ''}`
  return [
    `${name} has ${formatMany(documents, 'document')}`,
    formatMany(partitions, 'physical partition'),
    throughput,
    `partition key ${definition.partitionKey.paths.join(', ')}; reading ${formatMany(sample.length, 'document')} took ${formatCount(Math.ceil(chargeRu))} RU.`
  ].join(', ')
}
