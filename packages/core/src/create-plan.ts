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

/** A compiled key plan. Writers and readers with the same plan compute the same keys. */
export interface Plan<R = unknown, D = unknown> extends UntypedPlan {
  /**
   * Writes the key into the record, and the id if the plan makes it. Returns the record with its key, or a rejection.
   */
  readonly stamp: <T extends R>(record: T, source?: Source) => StampedRecord<WithKey<T, D>> | Rejection
}

/** Properties of a plan that do not depend on the type of its records. */
interface UntypedPlan extends Lookups {
  /** Stamps JSON bytes. Returns the changes to make in the bytes (splices); all other bytes stay unchanged. */
  readonly stampBytes: BytesStamper['stamp']
  /**
   * Stamps the JSON value that begins at a position, and finds its end. The bytes may contain only a part of the value.
   */
  readonly stampElement: BytesStamper['stampElement']
  /**
   * Hash of the rules that decide keys and ids. Plans with the same rules have the same hash, even if their JSON
   * differs.
   */
  readonly fingerprint: string
  /**
   * Fingerprints of the older versions of the plan, newest first. After a restart, a program may resume from a position
   * that it stored with an older version.
   */
  readonly previousFingerprints: readonly string[]
  /** Parts of the plan that are allowed but risky, with the remedy. */
  readonly warnings: readonly PlanWarning[]
  /** Partition key definition that the container for this plan must have. */
  readonly partitionKey: {
    readonly paths: readonly string[]
    readonly kind: 'Hash' | 'MultiHash'
    readonly version: 1 | 2
  }
}

/**
 * Checks and compiles a key plan. Throws a PlanError that names every mistake. With a record type, the compiler rejects
 * a field that the type does not have. It also rejects a field that may be missing, null, an object or an array, if the
 * plan has no rule for that case. The type of the result of `stamp` includes the key. With `createPlan<Trip>({ ... })`
 * the compiler does not know `into`: every property that the record type does not have is a string.
 * `createPlanFor<Trip>()({ ... })` has the exact type.
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
 * Like `createPlan`, but takes only the record type, so that the compiler infers the type of the definition:
 * `createPlanFor<Trip>()({ into: '/pk', ... })`. The compiler checks the plan against the record type, and the result
 * of `stamp` has exactly the properties of the record and of the key.
 */
export function createPlanFor<R>(): <const D extends PlanDefinition<R>>(
  definition: DefinitionOf<R, D>,
  options?: PlanOptions
) => Plan<R, D> {
  return createPlan
}

// made at the first call, because many programs only write
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/**
 * A record type with the top-level properties that a plan writes. If the type of the plan is only PlanDefinition, the
 * names of these properties are not known: every property that R does not have is a string.
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

/** Top-level property that a level writes. Never the id, which keeps its type in the record. */
type MemberOf<Level> =
  IntoOf<Level> extends `/${infer Name}` ? (Name extends `${string}/${string}` | 'id' ? never : Name) : never

/** A key is a string, unless the value of a field is the key itself or an existing key is kept. */
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
 * Hash of the rules that decide keys and ids. Plans with the same rules have the same hash, even if their JSON differs.
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

// True for a rule that only decides whether a record is rejected, compared with version 0.1. Version 0.1 made the same
// key from an empty string as `{ use: '' }` does, and rejected strings of digits unless `wrongType` had a substitute.
function isRejectionRule(name: string, value: unknown, component: unknown): boolean {
  if (name === 'empty') return value === ''
  return name === 'coerce' && (value === false || (component as FieldRules | BucketRules).use.wrongType === undefined)
}
