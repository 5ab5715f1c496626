import { refuseUnless, ServiceError } from '../service-error.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/** Where a read of a change feed begins, by its headers. */
export interface StartHeaders {
  /** `now` for `*`, the ETag of an earlier page, or undefined to begin with the first change. */
  readonly position: 'now' | EtagPosition | undefined
  /** Second of `If-Modified-Since`; undefined without it. */
  readonly sinceSecond: number | undefined
}

/** A position in a change feed. */
export interface EtagPosition {
  readonly by: 'lsn' | 'version' | 'sequence'
  readonly at: number
}

/** Reads `If-None-Match` and `If-Modified-Since`. */
export function startHeadersOf(request: WireRequest): StartHeaders {
  const since = headerOf(request, 'if-modified-since')
  const sinceSecond = since === undefined ? undefined : Math.floor(Date.parse(since) / 1000)
  refuseUnless(!Number.isNaN(sinceSecond), "The header 'If-Modified-Since' is not a date.")
  const known = headerOf(request, 'if-none-match')
  if (known === undefined || known === '') return { position: undefined, sinceSecond }
  if (known === '*') return { position: 'now', sinceSecond }
  const match = /^"?([vs]?)(\d{1,15})"?$/.exec(known)
  refuseUnless(
    match !== null,
    "The header 'If-None-Match' of a change feed must be '*' or an ETag that an earlier page had."
  )
  return { position: { by: BY_PREFIX[match[1]], at: Number(match[2]) }, sinceSecond }
}

/** A position as an ETag. That of one range must be an LSN: clients compare it with the LSN of the session token. */
export function printPosition({ by, at }: EtagPosition): string {
  return `"${PREFIXES[by]}${at}"`
}

const PREFIXES: Readonly<Record<EtagPosition['by'], string>> = { lsn: '', version: 'v', sequence: 's' }
const BY_PREFIX: Readonly<Record<string, EtagPosition['by']>> = { '': 'lsn', v: 'version', s: 'sequence' }

/** Refuses a start at a time in a merged range, unless the client says that it supports that. */
export function refuseTimeAfterMerge(request: WireRequest, ranges: readonly PhysicalRange[]): void {
  const capabilities = Number(headerOf(request, 'x-ms-cosmos-sdk-supportedcapabilities') ?? 0)
  if ((capabilities & START_TIME_AFTER_MERGE) !== 0 || !ranges.some((range) => range.isMerged)) return
  throw new ServiceError(400, 'StartTime/IfModifiedSince is not currently supported with merged partitions.')
}

const START_TIME_AFTER_MERGE = 2

/** Whether the client asks for changes as `{"current": ..., "metadata": ...}`. */
export function hasSeparateMetadata(request: WireRequest): boolean {
  const format = headerOf(request, 'x-ms-cosmos-changefeed-wire-format-version')
  refuseUnless(
    format === undefined || format === SEPARATE_METADATA,
    `The header 'x-ms-cosmos-changefeed-wire-format-version' must be '${SEPARATE_METADATA}'.`
  )
  return format !== undefined
}

const SEPARATE_METADATA = '2021-09-15'
