import { isDeepStrictEqual } from 'node:util'

/** Whether a stored document is the one that was sent, but for what the service adds. */
export function confirms(sent: string, stored: unknown): boolean {
  if (typeof stored !== 'object' || stored === null) return false
  return isDeepStrictEqual(withoutSystem(JSON.parse(sent) as object), withoutSystem(stored))
}

function withoutSystem(document: object): object {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !SYSTEM.has(name)))
}

const SYSTEM: ReadonlySet<string> = new Set(['_rid', '_self', '_etag', '_attachments', '_ts'])
