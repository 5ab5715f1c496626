import { KeystampError, type KeyRange } from '@keystamp/core'
import { type AnswerBuffer, stringIn } from '../client/http-client.ts'
import type { RetriedAnswer } from '../reader/retrying-requests.ts'
import type { FeedDocument, PageReader } from './document-reader.ts'
import type { DocumentVersion } from './version-reader.ts'

/** A part of a container by the hashes of its keys, from `min` up to, but not including, `max`, in hexadecimal. */
export type FeedRange = Pick<KeyRange, 'min' | 'max'>

/**
 * `latest`: the latest version of each document. `versions`: every version and every delete; only for containers that
 * keep them, and not from the beginning.
 */
export type FeedMode = 'latest' | 'versions'

export interface ChangesRequest {
  readonly range: FeedRange
  readonly mode: FeedMode
  /** `beginning` (only for `latest`), `now`, or the position of an earlier page of the same mode. */
  readonly from: string
  /** Maximum number of documents, up to 1,000. Default: 300. Changes of one bulk request or batch are on one page, which may then be longer. */
  readonly maxItems?: number
  /** Session token of an earlier answer: this answer is then not older. */
  readonly sessionToken?: string | undefined
  /** Takes the bytes of the page: its documents are valid until the next request with this buffer. */
  readonly buffer?: AnswerBuffer | undefined
  /** Reads the documents of a page of latest versions: the answer then has none. */
  readonly reader?: PageReader | undefined
  readonly signal?: AbortSignal
}

/** A page of changes. In it, changes with the same `lsn` are in no order. */
export interface ChangesPage {
  readonly kind: 'page'
  /** Of the mode `latest`. */
  readonly documents: readonly FeedDocument[]
  /** Of the mode `versions`. */
  readonly versions: readonly DocumentVersion[]
  /** Where the next read resumes: the ETag of the answer. */
  readonly position: string
  /** True if there were no more changes at the time of the answer. */
  readonly isEnd: boolean
  readonly sessionToken: string | undefined
  readonly chargeRu: number
}

/**
 * The range now belongs to several physical partitions. Each of the given ranges continues with the position that the
 * request had.
 */
export interface RangeSplit {
  readonly kind: 'split'
  readonly ranges: readonly FeedRange[]
}

/** Where a page of changes begins, and what it contains. */
export interface ChangeHeadersOptions {
  readonly mode: FeedMode
  /** `beginning`, `now`, or the position of an earlier page. */
  readonly from: string
  readonly rangeId: string
  /** Hashes to which the page is limited; undefined for the whole range. */
  readonly part: FeedRange | undefined
  readonly maxItems: number
}

/** Headers of a request for one page of a change feed, as the official SDK sends them. */
export function changeHeaders({
  mode,
  from,
  rangeId,
  part,
  maxItems
}: ChangeHeadersOptions): Readonly<Record<string, string>> {
  return {
    ...(mode === 'latest' ? LATEST : VERSIONS),
    'x-ms-documentdb-partitionkeyrangeid': rangeId,
    'x-ms-max-item-count': String(maxItems),
    ...(from === 'beginning' ? {} : { 'If-None-Match': from === 'now' ? '*' : from }),
    ...(part === undefined
      ? {}
      : {
          'x-ms-start-epk': part.min,
          'x-ms-end-epk': part.max,
          'x-ms-read-key-type': 'EffectivePartitionKeyRange'
        })
  }
}

const LATEST = { 'A-IM': 'Incremental feed' }
const VERSIONS = {
  'A-IM': 'Full-Fidelity Feed',
  'x-ms-cosmos-changefeed-wire-format-version': '2021-09-15'
}

/**
 * The page of an answer: 200, or 304 if there are no more changes. Its position is empty if the answer has none. A
 * number is that of the documents that a reader of the caller has read.
 */
export function toPage({ status, headers, body, chargeRu }: RetriedAnswer, mode: FeedMode): ChangesPage {
  const changes = status === 304 || typeof body === 'number' ? [] : body
  return {
    kind: 'page',
    documents: mode === 'latest' ? (changes as readonly FeedDocument[]) : [],
    versions: mode === 'versions' ? (changes as readonly DocumentVersion[]) : [],
    position: stringIn(headers.etag) ?? '',
    isEnd: status === 304,
    sessionToken: stringIn(headers['x-ms-session-token']),
    chargeRu
  }
}

/** Throws OPTION_INVALID for an invalid request. */
export function checkChangesRequest({ mode, from, maxItems }: ChangesRequest): void {
  if (mode !== 'latest' && mode !== 'versions') throw invalid('`mode` must be "latest" or "versions".')
  if (typeof from !== 'string' || !/^[ -~]+$/.test(from))
    throw invalid('`from` must be "beginning", "now", or the position of a page.')
  if (mode === 'versions' && from === 'beginning')
    throw invalid('The feed of all versions and deletes has no beginning: its first request begins at `now`.')
  if (maxItems !== undefined && !(Number.isSafeInteger(maxItems) && maxItems > 0))
    throw invalid('`maxItems` must be a whole number from 1 on.')
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
