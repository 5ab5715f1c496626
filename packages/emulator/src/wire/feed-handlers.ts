import { rangesOf, Scan, type ScanScope } from '../engine/scan.ts'
import type { Container } from '../store/container.ts'
import type { Answer } from './answer.ts'
import { checkSession } from './consistency.ts'
import { itemsContinuationOf, printContinuation } from './continuation.ts'
import { admitPage, feedHeaders, feedScopeOf, pageSizeOf, payPage } from './feed-page.ts'
import { keyOf, traitsOf } from './operation-request.ts'
import { PageRows } from './page-rows.ts'
import { Pace } from './query-page.ts'
import { containerOf, OWNER_MISSING } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { runInSlices } from './slices.ts'
import type { WireRequest } from './wire-request.ts'

/** `GET …/docs`: the items of a container, of a range or of a key, page by page. */
export function readFeed(service: Service, request: WireRequest): Answer | Promise<Answer> {
  return runInSlices(answerFeed(service, request))
}

function* answerFeed(service: Service, request: WireRequest): Generator<undefined, Answer> {
  const container = containerOf(service, request, OWNER_MISSING)
  const scope = feedScopeOf(request, container)
  const traits = traitsOf(request)
  checkSession(request, container, scope.kind === 'partition' ? keyOf(request) : undefined)
  const ranges = rangesOf(container, scope)
  admitPage(service, ranges, traits)
  const { rows, continuation } = yield* readPage(service, request, container, scope)
  const chargeRu = payPage(service, ranges, traits, rows.bodyLength)
  return {
    status: 200,
    body: rows.toBody(),
    chargeRu,
    headers: feedHeaders(container, ranges, rows.count, continuation)
  }
}

function* readPage(
  service: Service,
  request: WireRequest,
  container: Container,
  scope: ScanScope
): Generator<undefined, { rows: PageRows; continuation: string | undefined }> {
  const from = itemsContinuationOf(request)
  const size = pageSizeOf(request)
  const rows = new PageRows(container)
  const scan = new Scan(container, scope, from?.position, service.now())
  const pace = new Pace()
  for (let item = scan.next(); item !== undefined; item = scan.next()) {
    if (rows.count === size.items || rows.length >= size.bytes) {
      return { rows, continuation: printContinuation({ kind: 'items', position: scan.formerPosition(), returned: 0 }) }
    }
    rows.addItem(item)
    if (pace.isPause(item)) yield
  }
  return { rows, continuation: undefined }
}
