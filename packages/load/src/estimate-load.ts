import { createPlan, type Plan, type PlanDefinition } from '@keystamp/core'
import { type Account, openAccount, operationFor } from '@keystamp/cosmos'
import { type InputLine, readInput } from '@keystamp/files/internal'
import { createEstimator, type SampleEstimate } from './estimator.ts'
import { accountOptionsOf, type LoadOptions, type PreparedLoad, prepareLoad } from './load-options.ts'
import { sizeOf } from './progress-meter.ts'
import { createShape, createShapeChange } from './shape-record.ts'
import { recordOf } from './write-records.ts'

/** Estimate of a load from its first records. */
export interface LoadEstimate extends SampleEstimate {
  /** True if more records follow the sample. */
  readonly isCut: boolean
  /** Records that the load would write; undefined if the size of the inputs is not known. */
  readonly recordsInAll: number | undefined
  /**
   * RU/s that the load may use; undefined if the load takes a percentage and the provisioned throughput is not known.
   */
  readonly budgetRuPerSecond: number | undefined
}

/** Options of an estimate. Options that only matter for writing have no effect. */
export type EstimateOptions = Omit<LoadOptions, 'onProgress' | 'progressEveryMs' | 'onResumed' | 'onEnd' | 'checkpoint'>

/** Maximum number of records that `estimateLoad` reads. */
export const SAMPLE_RECORDS = 10_000

/**
 * Reads the first 10,000 records, and estimates the cost of a load and the share of each physical partition. Writes
 * nothing.
 */
export async function estimateLoad(options: EstimateOptions): Promise<LoadEstimate> {
  const prepared = await prepareLoad({ ...options, allowDuplicates: true })
  const account = openAccount(accountOptionsOf(options))
  try {
    const plan = prepared.plan ?? (await planOfContainer(account))
    const { partitionKey } = await account.definition()
    const estimator = createEstimator(partitionKey, await account.ranges())
    const { bytesRead, isCut } = await sample(prepared, plan, estimator)
    const estimate = estimator.result()
    const offer = await account.offer()
    const bytes = sizeOf(prepared.inputs)
    return {
      ...estimate,
      isCut,
      recordsInAll: isCut
        ? bytes === undefined
          ? undefined
          : (estimate.records * bytes) / bytesRead
        : estimate.records,
      budgetRuPerSecond: budgetOf(prepared, 'unknown' in offer ? undefined : offer.ruPerSecond)
    }
  } finally {
    account.close()
  }
}

function budgetOf({ share }: PreparedLoad, offerRu: number | undefined): number | undefined {
  if (typeof share === 'number') return share
  return offerRu === undefined ? undefined : (offerRu * Number(share.slice(0, -1))) / 100
}

/** Creates a plan that reads each key at the path that the container defines. */
async function planOfContainer(account: Account): Promise<Plan> {
  const { partitionKey } = await account.definition()
  const { paths, version: hashVersion } = partitionKey
  // a plan cannot write its key to /id, so this plan only reads the id
  if (paths.join() === '/id')
    return createPlan({ into: '/unused', from: [{ field: '/id' }], existing: 'overwrite', hashVersion })
  const definition: PlanDefinition = {
    levels: paths.map((path) => ({
      into: path,
      from: [path === '/id' ? { id: true } : { field: path, empty: { use: '' } }]
    })),
    hashVersion
  }
  return createPlan(definition, { requireId: true })
}

interface Sampled {
  readonly bytesRead: number
  readonly isCut: boolean
}

async function sample(
  { inputs, format, ids, plan: given, strategy, changeData, stdin, signal }: PreparedLoad,
  plan: Plan,
  estimator: ReturnType<typeof createEstimator>
): Promise<Sampled> {
  const shape = createShape(given, ids)
  const shapeChange = changeData === undefined ? undefined : createShapeChange(shape)
  let bytesRead = 0
  let records = 0
  for (const { name } of inputs) {
    for await (const lines of readInput(name, format, { from: { line: 0, byte: 0 }, stdin, signal })) {
      for (const line of lines) {
        if (records === SAMPLE_RECORDS) return { bytesRead, isCut: true }
        // released at once: the bytes are used only in this turn, before anything else is read
        line.piece.release()
        const bytes = addLine(line, name)
        if (bytes === undefined) continue
        records += 1
        bytesRead += bytes
      }
    }
  }
  return { bytesRead, isCut: false }

  /**
   * Adds a line to the estimate. Returns the size of its record in bytes; undefined if the line is blank or too long.
   */
  function addLine({ bytes, line, textLine, size, rejection }: InputLine, name: string): number | undefined {
    if (bytes === undefined) {
      estimator.reject('JSON_TOO_LARGE')
      return undefined
    }
    const record = recordOf(bytes, line)
    if (rejection === undefined && record.toString().trim() === '') return undefined
    const at = textLine === undefined ? line : textLine - 1
    const change = rejection ?? shapeChange?.(record, name, at)
    if (change === 'ignore') return size ?? bytes.length + 1
    const shaped = change === undefined ? shape(record, name, at) : 'ok' in change ? change : change.source
    const stamped = 'ok' in shaped ? shaped : (shaped.stamped ?? plan.stampBytes(shaped.bytes!))
    if (!stamped.ok) estimator.reject(stamped.code)
    // the writer rejects a delete with an empty ETag
    else if (strategy === 'deleteIfNotModified' && operationFor(strategy, { stamped }).ifMatch === '')
      estimator.reject('ETAG_MISSING')
    else estimator.add(stamped)
    return size ?? bytes.length + 1
  }
}
