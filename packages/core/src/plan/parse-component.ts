import { parsePointer, type Pointer } from '../text/pointer.ts'
import type { BucketUnit } from '../time/bucket.ts'
import { isKnownZone } from '../time/zone.ts'
import type { ComponentType } from './component-definition.ts'
import type { Mistakes } from './mistakes.ts'
import type { BucketRules, ComponentRules, FieldRules, KafkaRules, Substitutes } from './rules.ts'

const KINDS = ['field', 'literal', 'bucket', 'id', 'kafka'] as const
const SUBSTITUTES = ['missing', 'empty', 'null', 'wrongType'] as const
const TYPES: readonly ComponentType[] = ['text', 'integer', 'number', 'boolean', 'date', 'uuid']
const EPOCHS = ['seconds', 'milliseconds', 'microseconds'] as const
const MEMBERS = {
  field: ['field', 'type', 'coerce', 'normalize', 'orKey', ...SUBSTITUTES],
  literal: ['literal'],
  bucket: ['bucket', 'of', 'zone', 'epoch', 'coerce', 'orKey', ...SUBSTITUTES],
  id: ['id'],
  kafka: ['kafka', 'field', 'name', 'empty']
} as const

/** Parses one component of a key or an id; returns undefined if a mistake makes that impossible. */
export function parseComponent(value: unknown, path: string, mistakes: Mistakes): ComponentRules | undefined {
  const kind = kindOf(value, path, mistakes)
  if (kind === undefined) return undefined
  const json = mistakes.object(value, path, MEMBERS[kind])
  if (json === undefined) return undefined
  if (kind === 'field') return parseField(json, path, mistakes)
  if (kind === 'bucket') return parseBucket(json, path, mistakes)
  if (kind === 'kafka') return parseKafka(json, path, mistakes)
  if (kind === 'id') return json['id'] === true ? { kind: 'id' } : mistakes.add(`${path}/id`, 'must be true')
  const text = mistakes.string(json['literal'], `${path}/literal`)
  return text === undefined ? undefined : { kind: 'literal', text }
}

/** Parses a JSON pointer. For an invalid one, adds a mistake with an example. */
export function parsePath(value: unknown, path: string, mistakes: Mistakes): Pointer | undefined {
  const text = mistakes.string(value, path)
  if (text === undefined) return undefined
  const pointer = parsePointer(text)
  if (pointer !== undefined && pointer.every((name) => name !== '')) return pointer
  return mistakes.add(path, `must be a JSON pointer such as "/deviceId" or "/vehicle/vin", not ${JSON.stringify(text)}`)
}

function kindOf(value: unknown, path: string, mistakes: Mistakes): (typeof KINDS)[number] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return mistakes.add(path, 'must be an object such as { "field": "/deviceId" }')
  }
  const kinds = KINDS.filter((kind) => kind in value && !(kind === 'field' && 'kafka' in value))
  if (kinds.length === 1) return kinds[0]
  if (kinds.length > 1) return mistakes.add(path, `is more than one kind of component: ${kinds.join(' and ')}`)
  mistakes.object(value, path, KINDS)
  return mistakes.add(path, `needs one of ${KINDS.join(', ')}`)
}

function parseField(json: Record<string, unknown>, path: string, mistakes: Mistakes): FieldRules | undefined {
  const pointer = parsePath(json['field'], `${path}/field`, mistakes)
  const type = mistakes.oneOf<ComponentType | 'any'>(json['type'], `${path}/type`, TYPES, 'any')
  const normalize = mistakes.oneOf(json['normalize'], `${path}/normalize`, ['NFC', 'none'], 'none') === 'NFC'
  if (normalize && type !== 'any' && type !== 'text')
    mistakes.add(`${path}/normalize`, `has no effect for the type "${type}"`)
  const coerce = mistakes.boolean(json['coerce'], `${path}/coerce`)
  if (coerce && type !== 'integer')
    mistakes.add(`${path}/coerce`, 'needs "type": "integer", which then accepts strings of digits')
  const rest = {
    type,
    normalize,
    coerce,
    orKey: parseOrKey(json, path, mistakes),
    use: parseSubstitutes(json, path, mistakes)
  }
  return pointer === undefined ? undefined : { kind: 'field', pointer, ...rest }
}

function parseBucket(json: Record<string, unknown>, path: string, mistakes: Mistakes): BucketRules | undefined {
  const length = parseBucketLength(json['bucket'], `${path}/bucket`, mistakes)
  const of = parseBucketSource(json['of'], `${path}/of`, mistakes)
  const zone = json['zone'] === undefined ? 'UTC' : mistakes.string(json['zone'], `${path}/zone`)
  if (zone !== undefined && !isKnownZone(zone)) {
    mistakes.add(
      `${path}/zone`,
      `must be "UTC", an offset such as "+02:00", or a named zone such as "Europe/Berlin", not ${JSON.stringify(zone)}`
    )
  }
  const epoch =
    json['epoch'] === undefined ? undefined : mistakes.oneOf(json['epoch'], `${path}/epoch`, EPOCHS, 'seconds')
  if (of === 'timestamp' && epoch !== undefined)
    mistakes.add(`${path}/epoch`, 'has no effect: the timestamp of Kafka is in milliseconds')
  const coerce = mistakes.boolean(json['coerce'], `${path}/coerce`)
  if (coerce && epoch === undefined)
    mistakes.add(`${path}/coerce`, 'needs "epoch", the unit of the numbers in such strings')
  const rest = { epoch, coerce, orKey: parseOrKey(json, path, mistakes), use: parseSubstitutes(json, path, mistakes) }
  if (length === undefined || of === undefined || zone === undefined) return undefined
  return { kind: 'bucket', ...length, of, zone, ...rest }
}

function parseBucketLength(
  value: unknown,
  path: string,
  mistakes: Mistakes
): { unit: BucketUnit; minutes: number } | undefined {
  if (value === 'year' || value === 'month' || value === 'day' || value === 'hour') return { unit: value, minutes: 0 }
  const minutes = typeof value === 'string' ? Number(/^minute:([1-9]\d?)$/.exec(value)?.[1]) : Number.NaN
  if (60 % minutes === 0) return { unit: 'minute', minutes }
  return mistakes.add(path, 'must be "year", "month", "day", "hour", or "minute:N" where N divides 60')
}

function parseBucketSource(value: unknown, path: string, mistakes: Mistakes): Pointer | 'timestamp' | undefined {
  if (typeof value === 'string') return parsePath(value, path, mistakes)
  if (value === undefined)
    return mistakes.add(path, 'is missing: name the field that contains the time, or { "kafka": "timestamp" }')
  const json = mistakes.object(value, path, ['kafka'])
  if (json === undefined) return undefined
  return json['kafka'] === 'timestamp'
    ? 'timestamp'
    : mistakes.add(path, 'must be a field or { "kafka": "timestamp" }; never the current time')
}

function parseKafka(json: Record<string, unknown>, path: string, mistakes: Mistakes): KafkaRules | undefined {
  const what = json['kafka']
  if (what !== 'key' && json['field'] !== undefined)
    mistakes.add(`${path}/field`, 'is only allowed with { "kafka": "key" }')
  if (what !== 'header' && json['name'] !== undefined)
    mistakes.add(`${path}/name`, 'is only allowed with { "kafka": "header" }')
  if (what !== 'key' && what !== 'header' && json['empty'] !== undefined)
    mistakes.add(`${path}/empty`, 'is only allowed with { "kafka": "key" } and { "kafka": "header" }')
  const empty = parseSubstitute(json['empty'], `${path}/empty`, mistakes)
  if (what === 'topic' || what === 'partition' || what === 'offset' || what === 'timestamp')
    return { kind: 'kafka', what }
  if (what === 'key') {
    if (json['field'] === undefined) return { kind: 'kafka', what, pointer: undefined, empty }
    const pointer = parsePath(json['field'], `${path}/field`, mistakes)
    return pointer === undefined ? undefined : { kind: 'kafka', what, pointer, empty }
  }
  if (what === 'header') {
    const name = mistakes.string(json['name'], `${path}/name`)
    return name === undefined ? undefined : { kind: 'kafka', what, name, empty }
  }
  return mistakes.add(`${path}/kafka`, 'must be "topic", "partition", "offset", "timestamp", "key" or "header"')
}

function parseOrKey(json: Record<string, unknown>, path: string, mistakes: Mistakes): Pointer | undefined {
  return json['orKey'] === undefined ? undefined : parsePath(json['orKey'], `${path}/orKey`, mistakes)
}

function parseSubstitutes(json: Record<string, unknown>, path: string, mistakes: Mistakes): Substitutes {
  const [missing, empty, nil, wrongType] = SUBSTITUTES.map((name) =>
    parseSubstitute(json[name], `${path}/${name}`, mistakes)
  )
  return { missing, empty, null: nil, wrongType }
}

function parseSubstitute(value: unknown, path: string, mistakes: Mistakes): string | undefined {
  if (value === undefined || value === 'reject') return undefined
  if (typeof value !== 'object') return mistakes.add(path, 'must be "reject" or { "use": "..." }')
  const json = mistakes.object(value, path, ['use'])
  if (json === undefined) return undefined
  if (json['use'] === 'undefined')
    return mistakes.add(`${path}/use`, 'must not be the word "undefined", which hides mistakes')
  return mistakes.string(json['use'], `${path}/use`)
}
