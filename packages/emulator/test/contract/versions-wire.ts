import { type SharedWire, useWire } from './use-wire.ts'
import type { WireAnswer } from './wire.ts'

/** The definition of a container that keeps all versions for ten minutes. */
export const KEPT: Record<string, unknown> = { changeFeedPolicy: { retentionDuration: 10 } }

/** A definition of such a container with previous images: 1 of replaces, 2 of deletes, 3 of both. */
export function withImages(mode: number): Record<string, unknown> {
  return { ...KEPT, previousImageRetentionPolicy: { supportedFeatures: { allVersionsAndDeletes: { mode } } } }
}

/** A change in the feed of all versions and deletes. */
export interface Change {
  readonly current: Record<string, unknown>
  readonly previous?: Record<string, unknown>
  readonly metadata: Record<string, unknown> & { readonly operationType: string; readonly lsn: number }
}

/** A client of one emulator that writes single items and reads the feed of all versions and deletes. */
export interface VersionsWire {
  readonly wire: SharedWire
  /** A page of the feed. */
  readonly feed: (path: string, headers: Record<string, string>, key?: unknown[]) => Promise<WireAnswer>
  /** The ETag of the feed's end. */
  readonly now: (path: string, key?: unknown[]) => Promise<string>
  /** The changes after an ETag, on one page. */
  readonly changes: (path: string, etag: string, key?: unknown[]) => Promise<Change[]>
  readonly upsert: (path: string, body: { id: string; pk: string; [name: string]: unknown }) => Promise<WireAnswer>
  readonly remove: (path: string, id: string, pk: string) => Promise<WireAnswer>
  readonly read: (path: string, id: string, pk: string) => Promise<Record<string, unknown>>
}

/** Starts an emulator for the tests of one file. Its containers have one range; it stops after the last test. */
export function useVersionsWire(): VersionsWire {
  const wire = useWire({ ranges: 1 })
  const feed: VersionsWire['feed'] = (path, headers, key) =>
    wire.call('GET', `${path}/docs`, {
      headers: {
        'A-IM': 'Full-Fidelity Feed',
        'x-ms-cosmos-changefeed-wire-format-version': '2021-09-15',
        ...headers
      },
      ...(key === undefined ? {} : { key })
    })
  return {
    wire,
    feed,
    now: async (path, key) => (await feed(path, { 'If-None-Match': '*' }, key)).headers.get('etag')!,
    changes: async (path, etag, key) =>
      (await feed(path, { 'If-None-Match': etag, 'x-ms-max-item-count': '-1' }, key)).body?.Documents ?? [],
    upsert: (path, body) =>
      wire.call('POST', `${path}/docs`, { key: [body.pk], headers: { 'x-ms-documentdb-is-upsert': 'true' }, body }),
    remove: (path, id, pk) => wire.call('DELETE', `${path}/docs/${id}`, { key: [pk] }),
    read: async (path, id, pk) => (await wire.call('GET', `${path}/docs/${id}`, { key: [pk] })).body
  }
}
