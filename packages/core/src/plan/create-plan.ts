import { type CompiledVersions, compilePlan } from '../compile/compile-plan.ts'
import { createBytesStamper } from '../json/create-bytes-stamper.ts'
import type { BytesStamper } from '../json/create-bytes-stamper.ts'
import { checkOptionNames } from '../errors/check-option-names.ts'
import type { Rejection } from '../errors/rejection.ts'
import { parsePlan } from '../parse/parse-plan.ts'
import { pointerText } from '../parse/pointer.ts'
import { createDecode, type DecodedKey } from '../reverse/decode.ts'
import { createFilterFor, type PartsFilter } from '../reverse/filter-for.ts'
import { createKeyFor, type ExactKey } from '../reverse/key-for.ts'
import type { Key, PartitionKey } from '../reverse/key-lookup.ts'
import { createKeysFor, type KeysForOptions } from '../reverse/keys-for.ts'
import { readerRules } from '../reverse/reader-rules.ts'
import { createRecordStamper, type StampedRecord } from '../stamp/stamp-record.ts'
import type { DefinitionOf, PlanDefinition } from './definition.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Source } from './source.ts'
import type { WithKey } from './stamped-type.ts'
import { type PlanWarning, warningsOf } from './warnings.ts'

export interface PlanOptions {
  /** Numbers from 0 up to, but not including, 1; only random suffixes ask for them. */
  readonly random?: () => number
  /** Reject records that end up without an id that Cosmos DB can store. Default: false. */
  readonly requireId?: boolean
}

/** A key plan at work: the same key for every writer and every reader. */
export interface Plan<R = unknown, D = unknown> extends UntypedPlan {
  /** Writes the key (and the id, where the plan makes it) into the record, and says what it wrote; or why it could not. */
  readonly stamp: <T extends R>(record: T, source?: Source) => StampedRecord<WithKey<T, D>> | Rejection
}

/** The members of a plan that do not depend on the type of its records. */
interface UntypedPlan {
  /** The same for JSON bytes, which stay as they are but for a few splices. */
  readonly stampBytes: BytesStamper['stamp']
  /** The same for JSON bytes of which only the beginning is known. */
  readonly stampElement: BytesStamper['stampElement']
  /** The key of the record with these parts. Throws PARTS_MISSING when they do not say enough. */
  readonly keyFor: (parts: object, source?: Source) => ExactKey
  /** Every key under which documents with these parts can lie. Throws KEYS_UNBOUNDED when that cannot be listed. */
  readonly keysFor: (parts: object, options?: KeysForOptions) => readonly PartitionKey[]
  /** Which of the documents under those keys have these parts, and a time in the interval. Throws OPTION_INVALID for a part that the plan does not read. */
  readonly filterFor: (parts: object, options?: KeysForOptions) => PartsFilter
  /** Takes a key apart. */
  readonly decode: (key: Key) => DecodedKey | Rejection
  /** Names what decides keys and ids; equal for equal plans, however they are written. */
  readonly fingerprint: string
  /** The fingerprints of the older versions, newest first: what a restart may find and go on from. */
  readonly previousFingerprints: readonly string[]
  /** What is allowed and may be regretted, with the remedy. */
  readonly warnings: readonly PlanWarning[]
  /** The container's key definition that this plan stamps for. */
  readonly partitionKey: { readonly paths: readonly string[]; readonly kind: 'Hash' | 'MultiHash'; readonly version: 1 | 2 }
}

/**
 * Checks a key plan and makes it ready. Throws a PlanError that names every mistake at once.
 * With a record type given, a plan that names a field the type lacks does not compile, nor one that names a field that may be missing,
 * null, an object or an array, and does not say what happens then. What `stamp` returns has the key; with the record type alone given,
 * as in `createPlan<Trip>({ ... })`, any member that the type lacks is text, since the compiler does not know `into` then:
 * `createPlanFor<Trip>()({ ... })` has the exact type.
 */
// oxlint-disable-next-line no-explicit-any -- `any` is the record type that nothing is known of: every field may be named
export function createPlan<R = any, const D extends PlanDefinition<R> = PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options: PlanOptions = {}
): Plan<R, D> {
  checkOptionNames(options, ['random', 'requireId'] satisfies (keyof PlanOptions)[])
  const rules = parsePlan(definition)
  const compileOptions = { random: options.random, requireId: options.requireId ?? false }
  const compiled = compilePlan(rules, compileOptions)
  const lookups = once(() => createLookups(compilePlan(readerRules(rules), compileOptions)))
  const [newest, ...older] = rules.versions
  const bytes = createBytesStamper(compiled)
  return {
    stamp: createRecordStamper(compiled) as Plan<R, D>['stamp'],
    stampBytes: bytes.stamp,
    stampElement: bytes.stampElement,
    keyFor: (parts, source) => lookups().keyFor(parts, source),
    keysFor: (parts, question) => lookups().keysFor(parts, question),
    filterFor: (parts, question) => lookups().filterFor(parts, question),
    decode: (key) => lookups().decode(key),
    fingerprint: fingerprintOf(newest),
    previousFingerprints: older.map(fingerprintOf),
    warnings: warningsOf(rules),
    partitionKey: {
      paths: newest.levels.map((level) => pointerText(level.into)),
      kind: newest.levels.length > 1 ? 'MultiHash' : 'Hash',
      version: newest.hashVersion
    }
  }
}

/**
 * Takes the record type of a plan by itself, so that the compiler infers the definition: `createPlanFor<Trip>()({ into: '/pk', ... })`.
 * The plan is checked against the record type, and what `stamp` returns has exactly the members of the record and of the key.
 */
export function createPlanFor<R>(): <const D extends PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options?: PlanOptions
) => Plan<R, D> {
  return createPlan
}

type Lookups = Pick<Plan, 'keyFor' | 'keysFor' | 'filterFor' | 'decode'>

function createLookups(compiled: CompiledVersions): Lookups {
  return {
    keyFor: createKeyFor(compiled),
    keysFor: createKeysFor(compiled),
    filterFor: createFilterFor(compiled),
    decode: createDecode(compiled)
  }
}

// many programs only write, and never compile what looks keys up
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
