import { refuseUnless } from '../store/checks.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/** How much one page may hold. */
export interface PageSize {
  readonly items: number
  readonly bytes: number
}

/** The page size that a request asks for: -1 leaves it to the server. */
export function pageSizeOf(request: WireRequest): PageSize {
  const header = headerOf(request, 'x-ms-max-item-count')
  if (header === undefined) return { items: DEFAULT_ITEMS, bytes: MAX_PAGE_BYTES }
  const asked = Number(header)
  refuseUnless(
    Number.isInteger(asked) && asked >= -1 && asked !== 0,
    "The header 'x-ms-max-item-count' must be -1 or a positive whole number."
  )
  return { items: asked === -1 ? SERVER_ITEMS : asked, bytes: MAX_PAGE_BYTES }
}

const DEFAULT_ITEMS = 100
const SERVER_ITEMS = 1000
const MAX_PAGE_BYTES = 4 * 1024 * 1024
