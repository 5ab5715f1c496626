import type { Container } from '../store/container.ts'
import { documentText } from '../store/document-text.ts'
import { rangesOf, scan, type Scanned, type ScanScope } from '../store/scan.ts'
import type { Answer } from './answer.ts'
import { itemsContinuationOf, printContinuation } from './continuation.ts'
import { feedHeaders } from './feed-headers.ts'
import { feedScopeOf } from './feed-scope.ts'
import { keyOf, traitsOf } from './operation-request.ts'
import { pageSizeOf } from './page-size.ts'
import { admitPage, payPage } from './pay-page.ts'
import { containerOf, OWNER_MISSING } from './resource-lookup.ts'
import type { Service } from './service.ts'
import { checkSession } from './session.ts'
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
  let last: Scanned | undefined = undefined
  for (const scanned of scan(container, scope, from?.position, service.now())) {
    if (texts.length === size.items || bytes >= size.bytes) {
      return { texts, continuation: printContinuation({ kind: 'items', position: last!.position(), returned: 0 }) }
    }
    const text = documentText(container, scanned.item)
    bytes += text.length
    texts.push(text)
    last = scanned
  }
  return { texts, continuation: undefined }
}
