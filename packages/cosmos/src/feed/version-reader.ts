import type { KeyComponent } from '@keystamp/core'
import { createFieldReader } from '@keystamp/core/internal'
import { membersOfPath, valueAt } from '../client/container.ts'
import { cutPage } from './cut-page.ts'
import type { DocumentIdentity, DocumentReader, FeedDocument } from './document-reader.ts'

/** One change in the feed of all versions and deletes. */
export interface DocumentVersion {
  readonly operation: 'create' | 'replace' | 'delete'
  readonly identity: DocumentIdentity
  readonly lsn: number
  /** Second of the change, since 1970. */
  readonly timestamp: number
  /** Whether a delete was the end of a TTL. */
  readonly isExpiry: boolean
  /** The document after the change; undefined for a delete. */
  readonly current: FeedDocument | undefined
  /** The document before the change, if the container keeps previous images. */
  readonly previous: FeedDocument | undefined
}

/**
 * Reads a page of all versions and deletes; undefined if the bytes are not a whole page, or do not tell which documents
 * were changed.
 */
export type VersionReader = (bytes: Buffer) => readonly DocumentVersion[] | undefined

const METADATA = 0
const CURRENT = 1
const PREVIOUS = 2

/** Creates a reader of the changes of one container, by its key paths. */
export function createVersionReader(paths: readonly string[], documents: DocumentReader): VersionReader {
  const fields = createFieldReader([['metadata'], ['current'], ['previous']])
  const keyPaths = paths.map((path) => ({ flat: path.slice(1), members: membersOfPath(path) }))

  return (bytes) => {
    const versions: DocumentVersion[] = []
    const isWhole = cutPage(bytes, (start, limit) => {
      const end = fields.scan(bytes, start, limit)
      if (end < 0 || !fields.has(METADATA)) return -1
      const metadata = metadataIn(bytes, fields.startOf(METADATA), fields.endOf(METADATA))
      const version = toVersion(metadata, imageAt(bytes, CURRENT), imageAt(bytes, PREVIOUS))
      if (version === undefined) return -1
      versions.push(version)
      return end
    })
    return isWhole ? versions : undefined
  }

  /** The document of an image; undefined for `{}`, which deletes have as their current version. */
  function imageAt(bytes: Buffer, image: number): FeedDocument | undefined {
    return fields.has(image) ? documents.inside(bytes, fields.startOf(image), fields.endOf(image)) : undefined
  }

  function toVersion(
    metadata: Metadata,
    current: FeedDocument | undefined,
    previous: FeedDocument | undefined
  ): DocumentVersion | undefined {
    const { operationType, lsn, crts, timeToLiveExpired } = metadata
    const operation = operationType === 'create' || operationType === 'delete' ? operationType : 'replace'
    // only deletes have their identity outside of their images
    const identity = current?.identity ?? identityIn(metadata) ?? previous?.identity
    if (identity === undefined) return undefined
    return {
      operation,
      identity,
      lsn: lsn ?? 0,
      timestamp: crts ?? 0,
      isExpiry: timeToLiveExpired === true,
      current: operation === 'delete' ? undefined : current,
      previous
    }
  }

  function identityIn({ id, partitionKey }: Metadata): DocumentIdentity | undefined {
    if (typeof id !== 'string' || typeof partitionKey !== 'object' || partitionKey === null) return undefined
    const key = keyPaths.map(({ flat, members }) =>
      Object.hasOwn(partitionKey, flat)
        ? toComponent((partitionKey as Record<string, unknown>)[flat])
        : toComponent(valueAt(partitionKey, members))
    )
    return { key, id }
  }
}

/** Metadata of a change, all of which may be absent. */
interface Metadata {
  readonly operationType?: string
  readonly lsn?: number
  readonly crts?: number
  readonly timeToLiveExpired?: boolean
  readonly id?: unknown
  readonly partitionKey?: unknown
}

function metadataIn(bytes: Buffer, start: number, end: number): Metadata {
  return JSON.parse(new TextDecoder().decode(bytes.subarray(start, end))) as Metadata
}

function toComponent(value: unknown): KeyComponent {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  return undefined
}
