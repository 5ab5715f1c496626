import { KeystampError } from '@keystamp/core'
import { formatPointer, parsePointer } from '@keystamp/core/internal'
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
   * Choice if it is not known which change is newer, for example if both have the same value: `first` keeps the
   * stored document, `last` replaces it, `reject` gives the outcome ORDER_UNKNOWN. Default: `reject`.
   */
  readonly ties?: Ties
  /**
   * Seconds for which the marker of a deleted document is kept. While it exists, no older change can store the document
   * again.
   */
  readonly markerTtl: number
  /** Number of written documents whose ETag is kept in memory, so that they need not be read. Default: 100,000. */
  readonly maxKnown?: number
}

/** The options with their defaults. */
export interface NewestSettings {
  readonly rule: OrderRule
  readonly markerTtl: number
  readonly maxKnown: number
}

/** Completes and checks the options. Throws OPTION_INVALID. */
export function resolveNewest({
  field,
  ties = 'reject',
  markerTtl,
  maxKnown = 100_000
}: NewestOptions): NewestSettings {
  const pointer = field === undefined ? undefined : parsePointer(field)
  if (field !== undefined && (pointer === undefined || pointer.length === 0))
    throw invalid('`newest.field` must be a JSON pointer such as "/version".')
  if (!TIES.includes(ties)) throw invalid('`newest.ties` must be first, last or reject.')
  if (!Number.isInteger(markerTtl) || markerTtl < 1 || markerTtl > MAX_TTL)
    throw invalid('`newest.markerTtl` must be a whole number of seconds from 1 to 2,147,483,647.')
  if (!(maxKnown >= 0)) throw invalid('`newest.maxKnown` must be 0 or a higher number.')
  return { rule: { field: pointer, ties }, markerTtl, maxKnown }
}

/** Throws if the container cannot keep the order of changes. */
export function checkOrderable(
  { defaultTtl, uniqueKeys, conflictPath }: ContainerDefinition,
  field: readonly string[] | undefined,
  acceptsSeveralRegions: boolean
): void {
  if (uniqueKeys.length > 0)
    throw invalid(
      'The container has unique keys, so a document can be refused because of another one, and `newest` cannot be used.'
    )
  if (defaultTtl === undefined)
    throw invalid(
      'The container has no default TTL, so the markers of deleted documents would never expire. Set the default TTL of the container to -1: then only documents with a `ttl` expire.'
    )
  const isSamePath = field !== undefined && conflictPath !== undefined && conflictPath === formatPointer(field)
  if (acceptsSeveralRegions && !isSamePath)
    throw invalid(
      'The account accepts writes in several regions, which decide by themselves between conflicting writes, so `newest` cannot be used. Use an account with one region for writes, or a container whose conflict resolution path is this field.'
    )
}

const TIES: readonly Ties[] = ['first', 'last', 'reject']
const MAX_TTL = 2 ** 31 - 1

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
