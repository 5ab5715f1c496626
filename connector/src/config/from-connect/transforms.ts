import type { ConnectConfig } from './connect-config.ts'
import type { Draft, Translating } from './draft.ts'
import { listOf, type Rename } from './kafka-keys.ts'

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
  /** The class: those of Kafka without their package, such as `ReplaceField$Value`. */
  readonly type: string
  readonly options: ReadonlyMap<string, string>
  readonly predicate: { readonly type: string; readonly negate: boolean } | undefined
}

/** Applies a transform to the state before it; undefined where the sink has no equivalent. */
type Equal = (step: Step, before: Transformed, draft: Draft, steps: readonly Step[]) => Transformed | undefined

/**
 * Translates the single message transforms in their order. Each has an equivalent in the sink, or is refused by its
 * name.
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
    const equal = predicate === undefined || type === 'Filter' ? EQUALS[type]?.(step, state, draft, steps) : undefined
    if (equal !== undefined) {
      state = equal
      continue
    }
    refuse(
      key,
      `${type} ${predicate === undefined || type === 'Filter' ? '' : 'under a predicate '}has no equal: ${remedyFor(type)}`
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

const EQUALS: Readonly<Record<string, Equal>> = {
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
  Cast: 'let the producer write the type that is to be stored',
  ExtractField: 'write what is inside as the record, or leave the rest out by write.dropProperties',
  Filter:
    'only tombstones can be left out (write.tombstones: ignore); give the records to be stored a topic of their own',
  Flatten: 'documents of Cosmos DB are stored as they are nested',
  HeaderFrom: 'headers are stored by write.metadata, and a member is left out by write.dropProperties',
  HoistField: 'documents are stored as they are',
  InsertField:
    'write.metadata stores topic, partition, offset and timestamp under one member; fixed values belong to the producer',
  InsertUuid:
    'a random id stores a record a second time when it is read again; use id.strategy: metadata, which is as unique and stays the same',
  MaskField: 'leave the member out by write.dropProperties, or let the producer mask it',
  RegexRouter: 'map topics to containers under cosmos.container',
  ReplaceField: 'members can be left out by write.dropProperties, and neither renamed nor chosen',
  TimestampConverter:
    'let the producer write the form of time that is to be stored; a time bucket in a key plan reads both',
  TimestampRouter: 'the container cannot depend on the time; a time bucket in a key plan can divide documents',
  ValueToKey: 'say under `id` or in a plan what ids and keys are made of'
}

// transforms of others are known only where Microsoft's documentation names them
function remedyFor(type: string): string {
  return REMEDIES[type.replace(/^com\.github\.cjmatta\.kafka\.connect\.smt\./, '').replace(/\$.*$/, '')] ?? UNKNOWN
}

const UNKNOWN = 'it is none of the transforms of Kafka; do in the producer, or before the topic, what it did'

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
