import type avro from 'avsc'

/** Expected JSON of a value that avsc decoded, with all unions wrapped and longs as bigints. */
export function asJson(type: avro.Type, value: unknown): unknown {
  switch (type.typeName) {
    case 'record': {
      const { fields } = type as avro.types.RecordType
      return Object.fromEntries(fields.map((field) => [field.name, asJson(field.type, member(value, field.name))]))
    }
    case 'map': {
      const valuesType = (type as avro.types.MapType).valuesType as avro.Type
      return Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, asJson(valuesType, each)]))
    }
    case 'array':
      return (value as unknown[]).map((item) => asJson((type as avro.types.ArrayType).itemsType, item))
    case 'union:wrapped':
      return value === null ? null : ofBranch((type as avro.types.WrappedUnionType).types, value)
    case 'float':
      return shortest(value as number)
    default:
      return ofPlain(value)
  }
}

function ofBranch(types: readonly avro.Type[], value: unknown): unknown {
  const [branch] = Object.keys(value as object)
  return asJson(
    types.find(({ branchName }) => branchName === branch)!,
    member(value, branch)
  )
}

/** The decimal with the fewest digits that is this number in 32 bits. */
function shortest(value: number): number {
  for (let digits = 1; ; digits++) {
    const decimal = Number(value.toPrecision(digits))
    if (Math.fround(decimal) === value) return decimal + 0
  }
}

function ofPlain(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('base64')
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  // JSON has no negative zero
  return typeof value === 'number' ? value + 0 : value
}

function member(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name]
}
