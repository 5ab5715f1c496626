import { rangesOf, Scan, type ScanScope } from '../engine/scan.ts'
import type { Container } from '../store/container.ts'
import { documentText } from '../store/item.ts'
import type { Answer } from './answer.ts'
import { checkSession } from './consistency.ts'
import { itemsContinuationOf, printContinuation } from './continuation.ts'
import { admitPage, feedHeaders, feedScopeOf, pageSizeOf, payPage } from './feed-page.ts'
import { keyOf, traitsOf } from './operation-request.ts'
import { containerOf, OWNER_MISSING } from './resource-lookup.ts'
import type { Service } from './service.ts'
import type { WireRequest } from './wire-request.ts'

/** `GET …/docs`: the items of a container, of a range or of a key, page by page. */
export function readFeed(service: Service, request: WireRequest): Answer {
  const container = containerOf(service, request, OWNER_MISSING)
  const scope = feedScopeOf(request, container)
  const traits = traitsOf(request)
  checkSession(request, container, scope.kind === 'partition' ? keyOf(request) : undefined)
  const ranges = rangesOf(container, scope)
  admitPage(service, ranges, traits)
  const page = readPage(service, request, container, scope)
  const body = `{"_rid":"${container.rid}","Documents":[${page.texts.join(',')}],"_count":${page.texts.length}}`
  const chargeRu = payPage(service, ranges, traits, body.length)
  return { status: 200, body, chargeRu, headers: feedHeaders(container, ranges, page.texts.length, page.continuation) }
}

function readPage(
  service: Service,
  request: WireRequest,
  container: Container,
  scope: ScanScope
): { texts: string[]; continuation: string | undefined } {
  const from = itemsContinuationOf(request)
  const size = pageSizeOf(request)
  const texts: string[] = []
  let bytes = 0
  const scan = new Scan(container, scope, from?.position, service.now())
  for (let item = scan.next(); item !== undefined; item = scan.next()) {
    if (texts.length === size.items || bytes >= size.bytes) {
      return { texts, continuation: printContinuation({ kind: 'items', position: scan.formerPosition(), returned: 0 }) }
    }
    const text = documentText(container, item)
    bytes += text.length
    texts.push(text)
  }
  return { texts, continuation: undefined }
}
