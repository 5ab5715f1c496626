import { KeystampError } from '@keystamp/core'
import { parsePointer } from '@keystamp/core/internal'
import type { ContainerDefinition } from '../client/container.ts'
import type { OrderRule, Ties } from '../newest/judge.ts'

/** Stores a document only if it is newer than the stored one. */
export interface NewestOptions {
  /**
   * JSON pointer of the field whose value orders the changes of a document: a number within 2^53, an integer as text, or
   * a time in ISO 8601. Default: the `position` of each operation.
   */
  readonly field?: string
  /**
   * Property of the documents in which the records themselves contain their `topic`, `partition` and `offset`, and
   * `timestamp` if they have one. Then these order the changes, and the writer adds nothing. Default: the writer adds
   * the property `_keystampPosition`.
   */
  readonly placeIn?: string
  /**
   * Choice if it is not known which change is newer, for example if both have the same value: `first` keeps the
   * stored document, `last` replaces it, `reject` gives the outcome ORDER_UNKNOWN. Default: `reject`.
   */
  readonly ties?: Ties
  /**
   * Seconds for which the marker of a deleted document is kept; -1 for ever. While it exists, no older change can store
   * the document again. Default: the writer refuses deletes.
   */
  readonly markerTtl?: number | undefined
  /** Number of written documents whose ETag is kept in memory, so that they need not be read. Default: 100,000. */
  readonly maxKnown?: number
}

/** The options with their defaults. */
export interface NewestSettings {
  readonly rule: OrderRule
  readonly markerTtl: number | undefined
  readonly maxKnown: number
}

/** Completes and checks the options. Throws OPTION_INVALID. */
export function resolveNewest({
  field,
  placeIn,
  ties = 'reject',
  markerTtl,
  maxKnown = 100_000
}: NewestOptions): NewestSettings {
  const pointer = field === undefined ? undefined : parsePointer(field)
  if (field !== undefined && (pointer === undefined || pointer.length === 0))
    throw invalid('`newest.field` must be a JSON pointer such as "/version".')
  if (!TIES.includes(ties)) throw invalid('`newest.ties` must be first, last or reject.')
  if (field !== undefined && placeIn !== undefined)
    throw invalid('`newest.field` and `newest.placeIn` cannot be combined: each of them orders the changes.')
  if (
    markerTtl !== undefined &&
    markerTtl !== NEVER &&
    !(Number.isInteger(markerTtl) && markerTtl >= 1 && markerTtl <= MAX_TTL)
  )
    throw invalid('`newest.markerTtl` must be a whole number of seconds from 1 to 2,147,483,647, or -1 for ever.')
  if (!(maxKnown >= 0)) throw invalid('`newest.maxKnown` must be 0 or a higher number.')
  return { rule: { field: pointer, placeIn, ties }, markerTtl, maxKnown }
}

/**
 * Throws OPTION_INVALID if a container cannot keep the order of changes. `field`: JSON pointer, as in `NewestOptions`.
 * `hasMarkers`: false for a writer that refuses deletes.
 */
export function checkOrderable(
  { defaultTtl, uniqueKeys, conflictPath }: ContainerDefinition,
  field: string | undefined,
  hasWriteRegions: boolean,
  hasMarkers = true
): void {
  if (uniqueKeys.length > 0)
    throw invalid(
      'The container has unique keys, so the newest change of a document could be refused because of another document. Use a container without unique keys.'
    )
  if (defaultTtl === undefined && hasMarkers)
    throw invalid(
      'The container has no default TTL, so the markers of deleted documents would never expire. Set the default TTL of the container to -1: then only documents with a `ttl` expire.'
    )
  const isSamePath = field !== undefined && conflictPath === field
  if (hasWriteRegions && !isSamePath)
    throw invalid(
      'The account accepts writes in several regions, and an older change could win over a newer one of another region. Use an account with one region for writes, or a container whose conflict resolution path is the field that orders the changes.'
    )
}

const TIES: readonly Ties[] = ['first', 'last', 'reject']
const MAX_TTL = 2 ** 31 - 1
const NEVER = -1

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
