import type { ConnectConfig } from './connect-config.ts'
import type { Draft, Translating } from './draft.ts'
import { listOf, type Rename } from './kafka-keys.ts'
import { translateUnwrap } from './unwrap.ts'

/** Source of the record key after the transforms. */
export type KeyUse =
  | { readonly kind: 'record' }
  | { readonly kind: 'fieldsOfValue'; readonly fields: readonly string[] }
  | { readonly kind: 'fieldOfValue'; readonly field: string }
  | { readonly kind: 'fieldOfKey'; readonly field: string }
  | { readonly kind: 'changed' }

/** Effect of the worker's transforms on the connector's input. */
export interface Transformed {
  readonly keyIs: KeyUse
  readonly rename: Rename
  readonly isRenamed: boolean
}

interface Step {
  /** `transforms.name`, for notes. */
  readonly key: string
  /** Name of the class; without the package for classes of Kafka, such as `ReplaceField$Value`. */
  readonly type: string
  readonly options: ReadonlyMap<string, string>
  readonly predicate: { readonly type: string; readonly negate: boolean } | undefined
}

/** Applies a transform to the state before it; undefined if the sink has no equivalent. */
type Equivalent = (
  step: Step,
  before: Transformed,
  draft: Draft,
  steps: readonly Step[],
  translating: Translating
) => Transformed | undefined

/**
 * Translates the single message transforms in their order. A transform without an equivalent in the sink is refused by
 * its name.
 */
export function translateTransforms(config: ConnectConfig, translating: Translating): Transformed {
  const { draft, refuse, needless } = translating
  const steps = stepsOf(config)
  let state: Transformed = { keyIs: { kind: 'record' }, rename: (topic) => topic, isRenamed: false }
  for (const step of steps) {
    const { key, type, predicate } = step
    if (HARMLESS.has(type)) {
      needless(key, `${type} changes nothing that is stored`)
      continue
    }
    const after =
      predicate === undefined || type === 'Filter'
        ? EQUIVALENTS[type]?.(step, state, draft, steps, translating)
        : undefined
    if (after !== undefined) {
      state = after
      continue
    }
    refuse(
      key,
      `${type} ${predicate === undefined || type === 'Filter' ? '' : 'under a predicate '}has no equivalent: ${remedyFor(type)}`
    )
    if (type.endsWith('$Key')) state = { ...state, keyIs: { kind: 'changed' } }
  }
  return state
}

// headers and the names of schemas are not part of a document
const HARMLESS: ReadonlySet<string> = new Set([
  'DropHeaders',
  'InsertHeader',
  'SetSchemaMetadata$Key',
  'SetSchemaMetadata$Value'
])

const UNWRAP = 'io.debezium.transforms.ExtractNewRecordState'
const READS_VALUE = /\$Value$|^ValueToKey$|^HeaderFrom/

const EQUIVALENTS: Readonly<Record<string, Equivalent>> = {
  ReplaceField$Value: ({ options }, before, draft) => {
    const excluded = listOf(options.get('exclude') ?? options.get('blacklist'))
    const others = ['include', 'whitelist', 'renames'].some((name) => listOf(options.get(name)).length > 0)
    if (others || excluded.length === 0) return undefined
    draft.write['dropProperties'] = [
      ...((draft.write['dropProperties'] as readonly string[] | undefined) ?? []),
      ...excluded
    ]
    return before
  },
  InsertField$Value: ({ options }, before, draft, steps) => {
    const seconds = options.get('static.value') ?? ''
    const isAlone = ['topic.field', 'partition.field', 'offset.field', 'timestamp.field'].every(
      (name) => !options.has(name)
    )
    // Microsoft documents this way to expire documents
    if (!isAlone || options.get('static.field') !== 'ttl' || !/^[1-9]\d*$/.test(seconds) || !steps.some(castsTtl))
      return undefined
    draft.write['ttl'] = `${seconds}s`
    return before
  },
  Cast$Value: (step, before, draft) => (castsTtl(step) && draft.write['ttl'] !== undefined ? before : undefined),
  Filter: ({ predicate }, before, draft) => {
    if (predicate?.type !== 'RecordIsTombstone' || predicate.negate) return undefined
    draft.write['tombstones'] = 'ignore'
    return before
  },
  ValueToKey: ({ options }, before) => ({
    ...before,
    keyIs: { kind: 'fieldsOfValue', fields: listOf(options.get('fields')) }
  }),
  ExtractField$Key: ({ options }, before) => {
    const field = options.get('field') ?? ''
    const { keyIs } = before
    if (keyIs.kind === 'record') return { ...before, keyIs: { kind: 'fieldOfKey', field } }
    if (keyIs.kind !== 'fieldsOfValue' || !keyIs.fields.includes(field)) return undefined
    return { ...before, keyIs: { kind: 'fieldOfValue', field } }
  },
  [UNWRAP]: (step, before, _draft, steps, translating) => {
    // transforms before it see changes, and not rows
    if (steps.slice(0, steps.indexOf(step)).some(({ type }) => READS_VALUE.test(type))) return undefined
    translateUnwrap(step.key, step.options, translating)
    return before
  },
  RegexRouter: ({ options }, before, draft) => {
    const regex = options.get('regex') ?? ''
    const replacement = options.get('replacement') ?? ''
    // topics of a pattern are not known beforehand, so their new names cannot be mapped to containers
    if (draft.kafka.topicPattern !== undefined || !isPattern(regex)) return undefined
    const pattern = new RegExp(`^(?:${regex})$`)
    return { ...before, isRenamed: true, rename: (topic) => before.rename(topic).replace(pattern, replacement) }
  }
}

/** Advice for transforms without an equivalent, by the transform's name. */
const REMEDIES: Readonly<Record<string, string>> = {
  Cast: 'let the producer write the type that you want to store',
  ExtractNewDocumentState:
    'write value: debezium, which stores documents with the extended JSON of MongoDB, such as {"$oid": ...}, and check key and id',
  ExtractNewRecordState: 'put it before the transforms that read rows',
  ExtractField:
    'let the producer write the inner field as the record, or drop the other properties by write.dropProperties',
  Filter:
    'the sink can ignore only tombstones (write.tombstones: ignore); put the records that you want to store into a topic of their own',
  Flatten: 'the sink stores nested documents as they are',
  HeaderFrom: 'write.metadata stores headers, and write.dropProperties drops a property',
  HoistField: 'the sink stores documents as they are',
  InsertField:
    'write.metadata stores topic, partition, offset and timestamp under one property; let the producer add fixed values',
  InsertUuid:
    'with a random id, a redelivered record is stored a second time; use id.strategy: metadata, whose ids are as unique and do not change',
  MaskField: 'drop the property by write.dropProperties, or let the producer mask it',
  RegexRouter: 'map topics to containers under cosmos.container',
  ReplaceField: 'write.dropProperties can drop properties; the sink can neither rename nor select them',
  TimestampConverter:
    'let the producer write the form of time that you want to store; a time bucket in a key plan reads both forms',
  TimestampRouter: 'the container cannot depend on the time; a time bucket in a key plan can divide documents',
  ValueToKey: 'define ids and keys under `id` or in a plan'
}

// of the transforms outside of Kafka, only those are known that Microsoft's documentation names, and those of Debezium
const VENDORS = /^(?:com\.github\.cjmatta\.kafka\.connect\.smt|io\.debezium(?:\.connector\.mongodb)?\.transforms)\./

function remedyFor(type: string): string {
  return REMEDIES[type.replace(VENDORS, '').replace(/\$.*$/, '')] ?? UNKNOWN
}

const UNKNOWN = 'it is not one of the transforms of Kafka; do its work in the producer, or before the topic'

function castsTtl({ type, options }: Step): boolean {
  return type === 'Cast$Value' && /^ttl:int(?:8|16|32|64)$/.test(options.get('spec') ?? '')
}

function stepsOf(config: ConnectConfig): readonly Step[] {
  const names = listOf(config.take('transforms'))
  const predicates = predicatesOf(config)
  return names.map((name) => {
    const options = config.takeAll(`transforms.${name}.`)
    const named = options.get('predicate')
    const negate = options.get('negate') === 'true'
    return {
      key: `transforms.${name}`,
      type: (options.get('type') ?? 'nothing').replace(/^org\.apache\.kafka\.connect\.transforms\./, ''),
      options,
      predicate: named === undefined ? undefined : { type: predicates.get(named) ?? 'unknown', negate }
    }
  })
}

function predicatesOf(config: ConnectConfig): ReadonlyMap<string, string> {
  return new Map(
    listOf(config.take('predicates')).map((name) => {
      const options = config.takeAll(`predicates.${name}.`)
      return [name, (options.get('type') ?? '').split('.').at(-1)!]
    })
  )
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}
