import { isSet, type WireRequest } from './wire-request.ts'

/** Items and bytes that a page of a query read and returned. */
interface QueryWork {
  readonly elapsedMs: number
  readonly readItems: number
  readonly readBytes: number
  readonly givenItems: number
  readonly givenBytes: number
}

/** The headers with metrics of a query, if the request asks for them. */
export function queryMetricsHeaders(request: WireRequest, work: QueryWork): string[] {
  const headers: string[] = []
  if (isSet(request, 'x-ms-documentdb-populatequerymetrics'))
    headers.push('x-ms-documentdb-query-metrics', printMetrics(work))
  if (isSet(request, 'x-ms-cosmos-populateindexmetrics'))
    headers.push('x-ms-cosmos-index-utilization', NO_INDEX_METRICS)
  return headers
}

// queries scan all items in this emulator, so there is no index to report
const NO_INDEX_METRICS: string = Buffer.from(
  JSON.stringify({
    UtilizedSingleIndexes: [],
    PotentialSingleIndexes: [],
    UtilizedCompositeIndexes: [],
    PotentialCompositeIndexes: []
  })
).toString('base64')

function printMetrics(work: QueryWork): string {
  const values = {
    totalExecutionTimeInMs: work.elapsedMs.toFixed(2),
    queryCompileTimeInMs: '0.00',
    queryLogicalPlanBuildTimeInMs: '0.00',
    queryPhysicalPlanBuildTimeInMs: '0.00',
    queryOptimizationTimeInMs: '0.00',
    VMExecutionTimeInMs: work.elapsedMs.toFixed(2),
    indexLookupTimeInMs: '0.00',
    documentLoadTimeInMs: '0.00',
    systemFunctionExecuteTimeInMs: '0.00',
    userFunctionExecuteTimeInMs: '0.00',
    retrievedDocumentCount: work.readItems,
    retrievedDocumentSize: work.readBytes,
    outputDocumentCount: work.givenItems,
    outputDocumentSize: work.givenBytes,
    writeOutputTimeInMs: '0.00',
    indexUtilizationRatio: (work.readItems === 0 ? 0 : Math.min(1, work.givenItems / work.readItems)).toFixed(2)
  }
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(';')
}
