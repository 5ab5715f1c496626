import { elementsOf } from './json-text.ts'
import type { LoadHistory } from './load-history.ts'
import { type ContainerName, rangesOf, sendToContainer } from './request.ts'

/** A query as the user wrote it. */
export interface QueryInput {
  readonly text: string
  readonly parameters: readonly { readonly name: string; readonly value: unknown }[]
  readonly keyHeader: string | undefined
  readonly pageItems: number
}

/** Pages and charge of a physical partition, or of several that the emulator served together. */
export interface RangeShare {
  readonly ranges: string
  pages: number
  rows: number
  chargeRu: number
}

/** A query that is running: pages are read one after the other. */
export interface RunningQuery {
  /** Whether the emulator merges the rows of several ranges, which SDKs do themselves. */
  readonly isMerged: boolean
  readonly planned: number
  readonly shares: readonly RangeShare[]
  readonly ms: number
  readonly retries: number
  readonly isDone: boolean
  /** Reads the next page; returns its rows as JSON. */
  readonly next: () => Promise<readonly string[]>
}

interface Target {
  readonly headers: Readonly<Record<string, string>>
  readonly ids: string
}

/**
 * Runs a query as an SDK does: with a key, on its physical partition; else on each one that the query plan names. The
 * emulator merges sorted, distinct, limited and aggregated rows in one request, since the page does not.
 */
export async function runQuery(
  container: ContainerName,
  input: QueryInput,
  { live }: LoadHistory
): Promise<RunningQuery> {
  const body = JSON.stringify({ query: input.text, parameters: input.parameters })
  const targets: Target[] = []
  let isMerged = false
  if (input.keyHeader !== undefined) {
    targets.push({ headers: { 'x-ms-documentdb-partitionkey': input.keyHeader }, ids: '' })
  } else {
    const plan = JSON.parse(
      (await sendToContainer('POST', container, 'docs', { headers: PLAN_HEADERS, body })).text
    ) as Plan
    const asked = live.filter(({ range }) => plan.queryRanges.some((each) => overlaps(each, range)))
    isMerged = asked.length > 1 && needsMerge(plan)
    if (isMerged) targets.push({ headers: {}, ids: '' })
    else
      for (const { range } of asked)
        targets.push({ headers: { 'x-ms-documentdb-partitionkeyrangeid': range.id }, ids: range.id })
  }
  return pagesOf(container, input, body, targets, isMerged)
}

function pagesOf(
  container: ContainerName,
  input: QueryInput,
  body: string,
  targets: readonly Target[],
  isMerged: boolean
): RunningQuery {
  const shares: RangeShare[] = []
  let at = 0
  let continuation: string | undefined
  let ms = 0
  let retries = 0
  return {
    isMerged,
    planned: targets.length,
    shares,
    get ms() {
      return ms
    },
    get retries() {
      return retries
    },
    get isDone() {
      return at >= targets.length
    },
    next: async () => {
      const { headers, ids } = targets[at]
      const reply = await sendToContainer('POST', container, 'docs', {
        headers: {
          ...QUERY_HEADERS,
          ...headers,
          'x-ms-max-item-count': String(input.pageItems),
          ...(continuation === undefined ? {} : { 'x-ms-continuation': continuation })
        },
        body
      })
      const rows = elementsOf(reply.text, 'Documents')
      const ranges = ids === '' ? rangesOf(reply).join(', ') : ids
      const share =
        shares.at(-1)?.ranges === ranges ? shares[shares.length - 1] : { ranges, pages: 0, rows: 0, chargeRu: 0 }
      if (share.pages === 0) shares.push(share)
      share.pages += 1
      share.rows += rows.length
      share.chargeRu += reply.chargeRu
      ms += reply.ms
      retries += reply.retries
      continuation = reply.headers.get('x-ms-continuation') ?? undefined
      if (continuation === undefined) at += 1
      return rows
    }
  }
}

/** Lists the physical partitions of shares: one string may name several. */
export function touchedRanges(shares: readonly RangeShare[]): Set<string> {
  return new Set(shares.flatMap(({ ranges }) => (ranges === '' ? [] : ranges.split(', '))))
}

const QUERY_HEADERS = {
  'content-type': 'application/query+json',
  'x-ms-documentdb-isquery': 'True',
  'x-ms-documentdb-query-enablecrosspartition': 'True'
}

const PLAN_HEADERS = {
  ...QUERY_HEADERS,
  'x-ms-cosmos-is-query-plan-request': 'True',
  'x-ms-cosmos-supported-query-features': ''
}

interface Plan {
  readonly queryInfo: Readonly<Record<string, unknown>>
  readonly queryRanges: readonly PlannedRange[]
}

interface PlannedRange {
  readonly min: string
  readonly max: string
  readonly isMaxInclusive: boolean
}

function overlaps(planned: PlannedRange, { min, max }: { readonly min: string; readonly max: string }): boolean {
  return planned.min < max && (planned.max > min || (planned.isMaxInclusive && planned.max === min))
}

/** Whether rows of several ranges must be merged: any information of the plan is set besides the text of the query. */
function needsMerge({ queryInfo }: Plan): boolean {
  return Object.entries(queryInfo).some(([name, value]) => !PLAIN.has(name) && !isEmpty(value))
}

const PLAIN: ReadonlySet<string> = new Set(['rewrittenQuery', 'hasSelectValue'])

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '' || value === 'None') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
