import type { Rejection } from './errors/rejection.ts'
import { type BytesStamper, createBytesStamper } from './json/create-bytes-stamper.ts'
import { compilePlan } from './key/compile-plan.ts'
import type { KeyValue } from './key/field-value.ts'
import type { Source } from './key/kafka.ts'
import { createRecordStamper, type StampedRecord } from './key/stamp-record.ts'
import type { DefinitionOf, PlanDefinition } from './plan/definition.ts'
import { fingerprintOf } from './plan/fingerprint.ts'
import { parsePlan } from './plan/parse-plan.ts'
import { type PlanWarning, warningsOf } from './plan/warnings.ts'
import { createLookups, type Lookups } from './reverse/lookups.ts'
import { checkOptionNames } from './text/option-names.ts'
import { formatPointer } from './text/pointer.ts'

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
interface UntypedPlan extends Lookups {
  /** The same for JSON bytes, which stay as they are but for a few splices. */
  readonly stampBytes: BytesStamper['stamp']
  /** The same for JSON bytes of which only the beginning is known. */
  readonly stampElement: BytesStamper['stampElement']
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
  const lookups = once(() => createLookups(rules, compileOptions))
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
      paths: newest.levels.map((level) => formatPointer(level.into)),
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

// many programs only write, and never compile what looks keys up
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/**
 * A record type with the members that a plan writes at the top of it. Of a plan that is only known as a PlanDefinition, the names of
 * these members are not known: then every member that R lacks is text.
 */
export type WithKey<R, D> = R & KeyMembers<LevelOf<D>>

/** The levels of a plan, as a union. */
type LevelOf<D> = D extends { readonly levels: readonly (infer Level)[] } ? Level : D

// `D` stands on the left of `extends` only: so a Plan of any definition can be used where a Plan is asked for
type KeyMembers<Level> = unknown extends Level
  ? unknown
  : string extends IntoOf<Level>
    ? { [member: string]: string }
    : { [Each in Level as MemberOf<Each>]: KeyOf<Each> }

type IntoOf<Level> = Level extends { readonly into: infer Into } ? Into : never

/** The member at the top that a level writes. The id is not one of them: it is what the record says of it. */
type MemberOf<Level> = IntoOf<Level> extends `/${infer Name}` ? (Name extends `${string}/${string}` | 'id' ? never : Name) : never

/** A key is text, except where the record's own value is the key, or may stay what it is. */
type KeyOf<Level> = Level extends { readonly existing: infer Existing }
  ? 'keep' extends Existing
    ? KeyValue
    : MadeKey<Level>
  : MadeKey<Level>

type MadeKey<Level> = Level extends { readonly suffix: object }
  ? string
  : Level extends { readonly from: infer From extends readonly unknown[] }
    ? number extends From['length']
      ? KeyValue
      : From extends readonly [infer Only]
        ? OwnKey<Level, Only>
        : string
    : KeyValue

type OwnKey<Level, Only> = Only extends { readonly field: IntoOf<Level> }
  ? Only extends { readonly type: 'text' | 'date' | 'uuid' }
    ? string
    : KeyValue
  : string
