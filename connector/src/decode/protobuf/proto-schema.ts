import protobuf from 'protobufjs'
import { DecodeFailure } from '../decode-failure.ts'

/** Schema of a message with resolved names: a message that refers to itself is one object. */
export interface ProtoMessage {
  /** Full name, such as `google.protobuf.Timestamp`. */
  readonly name: string
  readonly fields: readonly ProtoField[]
}

export interface ProtoField {
  readonly number: number
  readonly name: string
  readonly label: 'single' | 'repeated' | 'map'
  readonly type: ProtoType
  /** Type of the keys of a map; undefined for other fields. */
  readonly keys: ScalarKind | undefined
  /** Whether a field that is absent differs from one with the default value. */
  readonly hasPresence: boolean
  readonly isRequired: boolean
  /** Name of its oneof; undefined if it is in none. */
  readonly oneof: string | undefined
}

export type ProtoType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'enum'; readonly names: ReadonlyMap<number, string>; readonly isNull: boolean }
  | { readonly kind: 'message'; readonly message: ProtoMessage }

const SCALARS = [
  'double',
  'float',
  'int32',
  'uint32',
  'sint32',
  'fixed32',
  'sfixed32',
  'int64',
  'uint64',
  'sint64',
  'fixed64',
  'sfixed64',
  'bool',
  'string',
  'bytes'
] as const

export type ScalarKind = (typeof SCALARS)[number]

/** Returns the message at these indexes among the messages of a file, and then inside of the message. */
export type FindMessage = (indexes: readonly number[]) => ProtoMessage

/**
 * Parses the text of a schema and of the files that it imports. Google's well-known types need not be among them. Throws
 * a DecodeFailure if the schema cannot be used.
 */
export function parseProto(text: string, references: readonly string[] = []): FindMessage {
  try {
    // the references can be in the same package, so the order of the messages is read from the file alone
    const { root: alone, package: packageName = '' } = parseText(text)
    const top = packageName === '' ? alone : alone.lookup(packageName)
    const { root } = parseText(text)
    for (const each of references) protobuf.parse(checked(each), root, PARSING)
    addBuiltIn(root)
    root.resolveAll()
    const messages = new Map<protobuf.Type, ProtoMessage>()
    return (indexes) => toMessage(root.lookupType(pathAt(top, indexes)), messages)
  } catch (error) {
    throw error instanceof DecodeFailure ? error : unusable((error as Error).message)
  }
}

const PARSING = { keepCase: true }

function parseText(text: string): protobuf.IParserResult {
  return protobuf.parse(checked(text), new protobuf.Root(), PARSING)
}

/** The parser leaves out such a message, and then the indexes of the others would be wrong. */
function checked(text: string): string {
  if (text.includes('__proto__')) throw unusable('it has the name __proto__')
  return text
}

/** Files that registries know without being told, in addition to those of protobufjs. */
const CONFLUENT_DECIMAL = `syntax = "proto3"; package confluent.type;
message Decimal { bytes value = 1; uint32 precision = 2; int32 scale = 3; }`

function addBuiltIn(root: protobuf.Root): void {
  for (const name of BUILT_IN) {
    const file = protobuf.common.get(`google/protobuf/${name}.proto`)
    if (file?.nested !== undefined && root.lookup(`google.protobuf.${FIRST_OF[name]}`) === null)
      root.addJSON(file.nested)
  }
  if (root.lookup('confluent.type.Decimal') === null) protobuf.parse(CONFLUENT_DECIMAL, root, PARSING)
}

const FIRST_OF = {
  any: 'Any',
  duration: 'Duration',
  timestamp: 'Timestamp',
  empty: 'Empty',
  struct: 'Struct',
  wrappers: 'StringValue',
  field_mask: 'FieldMask'
} as const

const BUILT_IN = Object.keys(FIRST_OF) as readonly (keyof typeof FIRST_OF)[]

function pathAt(top: protobuf.ReflectionObject | null, indexes: readonly number[]): string {
  let scope = top
  for (const index of indexes) {
    const nested = scope instanceof protobuf.Namespace ? scope.nestedArray : []
    const message = nested.filter(isMessage)[index]
    if (message === undefined) throw new DecodeFailure('it names a message that its schema does not have')
    scope = message
  }
  return scope!.fullName
}

/** Groups are messages of their field, and have no index. */
function isMessage(each: protobuf.ReflectionObject): boolean {
  return each instanceof protobuf.Type && (each as { readonly group?: boolean }).group !== true
}

function toMessage(type: protobuf.Type, known: Map<protobuf.Type, ProtoMessage>): ProtoMessage {
  const made = known.get(type)
  if (made !== undefined) return made
  const fields: ProtoField[] = []
  const message = { name: type.fullName.slice(1), fields }
  // registered before its fields, which may contain it
  known.set(type, message)
  for (const field of type.fieldsArray) fields.push(toField(field, known))
  return message
}

function toField(field: protobuf.Field, known: Map<protobuf.Type, ProtoMessage>): ProtoField {
  if (field.delimited) throw unusable('it has a group, which this sink does not read')
  const type = toType(field, known)
  const label = field instanceof protobuf.MapField ? 'map' : field.repeated ? 'repeated' : 'single'
  return {
    number: field.id,
    name: field.name,
    label,
    type,
    keys: field instanceof protobuf.MapField ? (field.keyType as ScalarKind) : undefined,
    hasPresence: label === 'single' && (type.kind === 'message' || field.hasPresence),
    isRequired: field.required,
    oneof: field.partOf?.name
  }
}

function toType({ resolvedType, type }: protobuf.Field, known: Map<protobuf.Type, ProtoMessage>): ProtoType {
  if (resolvedType instanceof protobuf.Type) return { kind: 'message', message: toMessage(resolvedType, known) }
  if (resolvedType instanceof protobuf.Enum) {
    const { values, fullName } = resolvedType
    const names = new Map<number, string>()
    // with aliases, the first name counts
    for (const [name, value] of Object.entries(values)) if (!names.has(value)) names.set(value, name)
    return { kind: 'enum', names, isNull: fullName === '.google.protobuf.NullValue' }
  }
  const kind = SCALARS.find((each) => each === type)
  if (kind === undefined) throw unusable('it names a type that it does not define')
  return { kind }
}

const MAX_WHY = 200

function unusable(why: string): DecodeFailure {
  return new DecodeFailure(`its schema is not a Protobuf schema (${why.slice(0, MAX_WHY)})`, 'SCHEMA_UNKNOWN')
}
