import { joinedLength, joinInto } from '@keystamp/core'
import type { DocumentVersion } from '../../src/containers/move-container.ts'
import type { Identity } from '../../src/documents/identity.ts'
import type { StoredDocument } from '../../src/documents/stored-document.ts'

/** Content of a document without system properties. */
export type Body = Readonly<Record<string, unknown>> & { readonly id: string }

/** One version of a document, or its delete. */
export interface Version {
  readonly lsn: number
  readonly second: number
  readonly etag: string
  /** Undefined for a delete. */
  readonly body: Body | undefined
  readonly isExpiry: boolean
  /** Order among all changes of the container. */
  readonly order: number
}

/** A document with all its versions. */
export interface Document {
  readonly identity: Identity
  readonly hash: string
  /** All versions, oldest first. */
  readonly versions: Version[]
}

/** A version as the feed of all versions has it. */
export function toVersion(
  change: { readonly document: Document; readonly version: Version; readonly before: Body | undefined },
  hasPreviousImages: boolean
): DocumentVersion {
  const { document, version, before } = change
  const { identity } = document
  return {
    operation: version.body === undefined ? 'delete' : before === undefined ? 'create' : 'replace',
    identity,
    lsn: version.lsn,
    timestamp: version.second,
    isExpiry: version.isExpiry,
    current: toStored(identity, version),
    previous: hasPreviousImages && before !== undefined ? toStored(identity, { ...version, body: before }) : undefined
  }
}

/** A version as an answer has it; undefined for a delete. */
export function toStored(identity: Identity, version: Version | undefined): StoredDocument | undefined {
  if (version?.body === undefined) return undefined
  const { body, etag, second, lsn } = version
  const system = { _rid: 'r', _self: 's', _etag: etag, _attachments: 'attachments/', _ts: second, _lsn: lsn }
  const bytes = new TextEncoder().encode(JSON.stringify({ ...body, ...system }))
  return { bytes, start: 0, end: bytes.length, identity, etag, timestamp: second, lsn }
}

/** The content of a copy that a move writes. */
export function bodyOf(stamped: Parameters<typeof joinInto>[0]): Body {
  const bytes = new Uint8Array(joinedLength(stamped))
  joinInto(stamped, bytes, 0)
  return JSON.parse(new TextDecoder().decode(bytes)) as Body
}
