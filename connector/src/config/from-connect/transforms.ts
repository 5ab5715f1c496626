import type { ConnectConfig } from './connect-config.ts'
import type { Draft, Translating } from './draft.ts'
import { listOf, type Rename } from './kafka-keys.ts'
import { type Predicate, toShapeSteps } from './shape-steps.ts'
import { translateUnwrap } from './unwrap.ts'

/** Source of the record key after the transforms. */
export type KeyUse =
  | { readonly kind: 'record' }
  | { readonly kind: 'fieldsOfValue'; readonly fields: readonly string[] }
  | { readonly kind: 'fieldOfValue'; readonly field: string }
  | { readonly kind: 'fieldOfKey'; readonly field: string }
  /** The shape makes it: an object, whose text would differ. */
  | { readonly kind: 'object' }
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
  readonly predicate: Predicate | undefined
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
 * Translates the single message transforms in their order: to settings that do the same at the end, or else to steps of
 * a shape. A transform without an equivalent is refused by its name.
 */
export function translateTransforms(config: ConnectConfig, translating: Translating): Transformed {
  const steps = stepsOf(config)
  return translateToSettings(steps, onTrial(translating)) === undefined
    ? translateToShape(steps, translating)
    : translateToSettings(steps, translating)!
}

const INITIAL: Transformed = { keyIs: { kind: 'record' }, rename: (topic) => topic, isRenamed: false }

/** Writes to a copy of the draft, and drops the notes. */
function onTrial({ draft }: Translating): Translating {
  return { draft: { ...draft, write: { ...draft.write } }, refuse: dropNote, change: dropNote, needless: dropNote }
}

function dropNote(): void {}

/** Undefined if a transform needs a shape. */
function translateToSettings(steps: readonly Step[], translating: Translating): Transformed | undefined {
  let state: Transformed | undefined = INITIAL
  for (const step of steps) {
    const { type, predicate } = step
    if (isHarmless(step, translating)) continue
    const hasEquivalent = predicate === undefined || type === 'Filter'
    state = hasEquivalent ? EQUIVALENTS[type]?.(step, state, translating.draft, steps, translating) : undefined
    if (state === undefined) return undefined
  }
  return state
}

function isHarmless({ key, type }: Step, { needless }: Translating): boolean {
  if (!HARMLESS.has(type)) return false
  needless(key, `${type} changes nothing that is stored`)
  return true
}

function translateToShape(steps: readonly Step[], translating: Translating): Transformed {
  const { draft, refuse, change } = translating
  const shape: object[] = []
  let state = INITIAL
  for (const [index, step] of steps.entries()) {
    const { key, type, options, predicate } = step
    if (isHarmless(step, translating)) continue
    if (predicate === undefined && (type === UNWRAP || type === 'RegexRouter')) {
      const after = EQUIVALENTS[type](step, state, draft, steps, translating)
      if (after === undefined) refuse(key, `${type} has no equivalent: ${remedyFor(type)}`)
      state = after ?? state
      continue
    }
    const made = toShapeSteps(type, options, predicate)
    const why = made === undefined ? undefined : 'why' in made ? made.why : whyOrderMatters(step, steps.slice(0, index))
    if (made === undefined || 'why' in made || why !== undefined) {
      refuse(key, `${type} has no equivalent: ${why ?? remedyFor(type)}`)
      if (type.endsWith('$Key')) state = { ...state, keyIs: { kind: 'changed' } }
      continue
    }
    shape.push(...made.steps)
    if (made.note !== undefined) change(key, made.note)
    if (type === 'Filter' && predicate?.type === 'RecordIsTombstone' && !predicate.negate) draft.dropsTombstones = true
    state = { ...state, keyIs: keyAfter(type, state.keyIs) }
  }
  if (shape.length > 0) draft.shape = shape
  return state
}

function keyAfter(type: string, before: KeyUse): KeyUse {
  if (before.kind === 'changed' || type === 'HeaderFrom$Key') return before
  if (type === 'ExtractField$Key') return { kind: 'record' }
  return type === 'ValueToKey' || type === 'HoistField$Key' ? { kind: 'object' } : before
}

/** Conditions and inserted topics are those of the record, before all transforms. */
function whyOrderMatters({ type, options, predicate }: Step, before: readonly Step[]): string | undefined {
  const follows = (names: RegExp): boolean => before.some((each) => names.test(each.type))
  if (predicate?.type === 'HasHeaderKey' && follows(/^(?:InsertHeader|DropHeaders|HeaderFrom)/))
    return 'it tests a header after a transform that changes headers; the sink tests the headers of the record'
  const readsTopic =
    predicate?.type === 'TopicNameMatches' || (type.startsWith('InsertField') && options.has('topic.field'))
  if (readsTopic && follows(/Router$/))
    return 'it reads the topic after a transform that renames it; the sink reads the topic of the record'
  return undefined
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
  ValueToKey: ({ options }, before) => {
    const fields = listOf(options.get('fields'))
    return fields.length === 0 ? undefined : { ...before, keyIs: { kind: 'fieldsOfValue', fields } }
  },
  ExtractField$Key: ({ options }, before) => {
    const field = options.get('field') ?? ''
    // a path of the id could not tell other names from nested fields
    if (!/^\w+$/.test(field)) return undefined
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
  ExtractNewDocumentState:
    'write value: debezium, which stores documents with the extended JSON of MongoDB, such as {"$oid": ...}, and check key and id',
  ExtractNewRecordState: 'put it before the transforms that read rows',
  InsertUuid:
    'with a random id, a redelivered record is stored a second time; use id.strategy: metadata, whose ids are as unique and do not change',
  RegexRouter: 'map topics to containers under cosmos.container',
  TimestampRouter: 'the container cannot depend on the time; a time bucket in a key plan can divide documents'
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
      predicate: named === undefined ? undefined : { ...(predicates.get(named) ?? UNKNOWN_PREDICATE), negate }
    }
  })
}

const UNKNOWN_PREDICATE = { type: 'a predicate that is not configured', options: new Map<string, string>() }

function predicatesOf(config: ConnectConfig): ReadonlyMap<string, Omit<Predicate, 'negate'>> {
  return new Map(
    listOf(config.take('predicates')).map((name) => {
      const options = config.takeAll(`predicates.${name}.`)
      return [name, { type: (options.get('type') ?? '').split('.').at(-1)!, options }]
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
