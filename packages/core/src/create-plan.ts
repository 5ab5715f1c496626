import type { Rejection } from './errors/rejection.ts'
import { hashHex } from './hash/murmur128.ts'
import { type BytesStamper, createBytesStamper } from './json/create-bytes-stamper.ts'
import { compilePlan } from './key/compile-plan.ts'
import type { KeyValue, Source } from './key/field-value.ts'
import { createRecordStamper, type StampedRecord } from './key/stamp-record.ts'
import type { DefinitionOf, PlanDefinition } from './plan/definition.ts'
import { parsePlan } from './plan/parse-plan.ts'
import type { BucketRules, FieldRules, VersionRules } from './plan/rules.ts'
import { type PlanWarning, warningsOf } from './plan/warnings.ts'
import { createLookups, type Lookups } from './reverse/lookups.ts'
import { checkOptionNames } from './text/option-names.ts'
import { formatPointer } from './text/pointer.ts'

/** Options of `createPlan`. */
export interface PlanOptions {
  /**
   * Source of random numbers from 0 up to, but not including, 1, such as `Math.random`. Only random suffixes need it.
   */
  readonly random?: () => number
  /** Whether to reject records without an id that Cosmos DB can store. Default: false. */
  readonly requireId?: boolean
}

/** A key plan, ready for use: gives every writer and every reader the same key. */
export interface Plan<R = unknown, D = unknown> extends UntypedPlan {
  /**
   * Writes the key (and the id, where the plan makes it) into the record. Gives the record with its key, or a
   * rejection.
   */
  readonly stamp: <T extends R>(record: T, source?: Source) => StampedRecord<WithKey<T, D>> | Rejection
}

/** Properties of a plan that do not depend on the type of its records. */
interface UntypedPlan extends Lookups {
  /** Stamps JSON bytes: gives a few splices, which leave all other bytes unchanged. */
  readonly stampBytes: BytesStamper['stamp']
  /** Stamps JSON bytes of which only the beginning is known. */
  readonly stampElement: BytesStamper['stampElement']
  /** Hash of the rules that decide keys and ids; equal for plans with the same rules, however they are written. */
  readonly fingerprint: string
  /**
   * Fingerprints of the older versions, newest first: a restart may resume from a position that was stored with one of
   * them.
   */
  readonly previousFingerprints: readonly string[]
  /** Parts of the plan that are allowed but risky, with the remedy. */
  readonly warnings: readonly PlanWarning[]
  /** Partition key definition of the container that this plan needs. */
  readonly partitionKey: {
    readonly paths: readonly string[]
    readonly kind: 'Hash' | 'MultiHash'
    readonly version: 1 | 2
  }
}

/**
 * Checks and compiles a key plan. Throws a PlanError that names every mistake.
 * With a record type, a plan does not compile if it names a field that the type does not have, or a field that may be
 * missing, null, an object or an array without a rule for that case. The result of `stamp` has the key. In
 * `createPlan<Trip>({ ... })` the compiler does not know `into`, so that every property that the record type does not
 * have is a string; `createPlanFor<Trip>()({ ... })` has the exact type.
 */
// oxlint-disable-next-line no-explicit-any -- `any` is the unknown record type, which has every field
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
 * Takes the record type alone, so that the compiler infers the definition: `createPlanFor<Trip>()({ into: '/pk', ...
 * })`. The plan is checked against the record type, and the result of `stamp` has exactly the properties of the record
 * and of the key.
 */
export function createPlanFor<R>(): <const D extends PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options?: PlanOptions
) => Plan<R, D> {
  return createPlan
}

// compiled at the first call, since many programs only write
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/**
 * A record type with the properties that a plan writes at its top level. The names of these properties are unknown if
 * the plan is only known as a PlanDefinition: then every property that R does not have is a string.
 */
export type WithKey<R, D> = R & KeyMembers<LevelOf<D>>

/** Levels of a plan, as a union. */
type LevelOf<D> = D extends { readonly levels: readonly (infer Level)[] } ? Level : D

// `D` is only on the left of `extends`, so that a Plan of any definition can be passed where a Plan is expected
type KeyMembers<Level> = unknown extends Level
  ? unknown
  : string extends IntoOf<Level>
    ? { [member: string]: string }
    : { [Each in Level as MemberOf<Each>]: KeyOf<Each> }

type IntoOf<Level> = Level extends { readonly into: infer Into } ? Into : never

/** Property at the top level that a level writes. Not the id, whose type is that of the record. */
type MemberOf<Level> =
  IntoOf<Level> extends `/${infer Name}` ? (Name extends `${string}/${string}` | 'id' ? never : Name) : never

/** A key is a string, except where the value of the record is the key, or where an existing key is kept. */
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

/**
 * Hash of the rules that decide keys and ids: plans with the same rules have the same one, however they are written.
 */
function fingerprintOf(version: VersionRules): string {
  const { levels, id, encoding, hashVersion } = version
  // `existing` decides whether a record is rejected, not which key it gets
  const deciding = {
    levels: levels.map((level) => ({ ...level, existing: undefined })),
    id: id && { ...id, existing: undefined },
    encoding,
    hashVersion
  }
  return hashHex(JSON.stringify(deciding, inOrder))
}

function inOrder(this: unknown, name: string, value: unknown): unknown {
  if (isRejectionRule(name, value, this)) return undefined
  if (value instanceof Map) return [...value].toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

// `{ use: '' }` gives an empty string the key that version 0.1 gave. Version 0.1 rejected strings of digits, unless
// `wrongType` had a substitute.
function isRejectionRule(name: string, value: unknown, component: unknown): boolean {
  if (name === 'empty') return value === ''
  return name === 'coerce' && (value === false || (component as FieldRules | BucketRules).use.wrongType === undefined)
}
