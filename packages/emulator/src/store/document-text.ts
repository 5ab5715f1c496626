import type { Container } from './container.ts'
import { childRid } from './resource-id.ts'
import type { ItemState } from './stored-item.ts'

/** The properties that the service sets on every write, whatever the client sent. */
export const SYSTEM_PROPERTIES: readonly string[] = ['_rid', '_self', '_etag', '_attachments', '_ts']

/** An item as it is handed out: the user's JSON and the system properties. */
export function documentText(container: Container, item: ItemState): string {
  const json = item.json()
  const rid = childRid(container.rid, item.ordinal, 'item')
  const etag = container.itemEtag(item.version, item.timestamp).slice(1, -1)
  return `${json.slice(0, -1)},"_rid":"${rid}","_self":"${container.self}docs/${rid}/","_etag":"\\"${etag}\\"","_attachments":"attachments/","_ts":${item.timestamp}}`
}
