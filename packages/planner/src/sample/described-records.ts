import { KeystampError } from '@keystamp/core'
import { parsePointer, toFieldPointer, writeUtf8 } from '@keystamp/core/internal'

/** A field of generated records, which replace a sample. */
export interface DescribedField {
  /** Name, or JSON pointer. */
  readonly name: string
  /** Number of distinct values. */
  readonly values: number
  /** Exponent of a Zipf distribution; 0: all values are equally frequent. */
  readonly zipf: number
  /** Share of the records that always have the first value; 0 for none. */
  readonly top: number
}

/** Reads `deviceId:50000`, `fleetId:200:zipf1.0` or `tenantId:100:top40%`. Throws an error that names the mistake. */
export function parseDescribedField(text: string): DescribedField {
  const [name, count = '', ...shapes] = text.split(':').map((part) => part.trim())
  if (parsePointer(toFieldPointer(name)) === undefined || name === '')
    throw mistakeIn(text, 'it must begin with the name of the field or its JSON pointer')
  const values = Number(count.replaceAll(/[_,]/g, ''))
  if (!Number.isInteger(values) || values < 1 || values > MAX_VALUES)
    throw mistakeIn(
      text,
      `the name must be followed by the number of distinct values, 1 to ${MAX_VALUES.toLocaleString('en')}`
    )
  let [zipf, top] = [0, 0]
  for (const shape of shapes) {
    const [, kind, digits, percent] = /^(zipf|top)(\d+(?:\.\d+)?)(%?)$/.exec(shape) ?? []
    const number = Number(digits) / (percent === '%' ? 100 : 1)
    if (kind === 'zipf' && percent === '' && number <= MAX_EXPONENT) zipf = number
    else if (kind === 'top' && number < 1) top = number
    else
      throw mistakeIn(
        text,
        `${JSON.stringify(shape)} is neither an exponent such as "zipf1.0" nor a share such as "top40%"`
      )
  }
  return { name, values, zipf, top }
}

const MAX_VALUES = 10_000_000
const MAX_EXPONENT = 10

function mistakeIn(text: string, rule: string): KeystampError {
  const example = 'Write fields as "deviceId:50000", "fleetId:200:zipf1.0" or "tenantId:100:top40%".'
  return new KeystampError(
    'OPTION_INVALID',
    `The description of the field ${JSON.stringify(text)} is not valid: ${rule}. ${example}`
  )
}

/**
 * Creates a generator of records as JSON. The fields are independent of each other. If `id` is not described, each
 * record gets a unique `id`.
 */
export function createDescribedRecords(fields: readonly DescribedField[], random: () => number): () => Uint8Array {
  const described = fields.map((field) => ({
    pointer: parsePointer(toFieldPointer(field.name)) ?? [field.name],
    pick: createPick(field, random)
  }))
  const hasId = described.some(({ pointer }) => pointer.length === 1 && pointer[0] === 'id')
  let number = 0
  let buffer = new Uint8Array(1024)
  return () => {
    const record: Members = hasId ? {} : { id: `id-${String(number).padStart(9, '0')}` }
    number++
    for (const { pointer, pick } of described) setMember(record, pointer, valueOf(pointer, pick()))
    const text = JSON.stringify(record)
    if (text.length * 3 > buffer.length) buffer = new Uint8Array(text.length * 6)
    return buffer.slice(0, writeUtf8(text, buffer, 0))
  }
}

interface Members {
  [name: string]: string | Members
}

function valueOf(pointer: readonly string[], value: number): string {
  return `${pointer[pointer.length - 1]}-${String(value).padStart(6, '0')}`
}

function setMember(record: Members, pointer: readonly string[], value: string): void {
  let parent = record
  for (const name of pointer.slice(0, -1)) {
    const child = Object.hasOwn(parent, name) ? parent[name] : undefined
    parent = typeof child === 'object' ? child : defineMember(parent, name, {})
  }
  defineMember(parent, pointer[pointer.length - 1], value)
}

// a property named `__proto__` would otherwise set the prototype
function defineMember<T extends string | Members>(parent: Members, name: string, value: T): T {
  Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true })
  return value
}

/** Creates a function that returns the number of a random value; 0 is the most frequent value. */
function createPick({ values, zipf, top }: DescribedField, random: () => number): () => number {
  const among = zipf === 0 ? () => Math.floor(random() * values) : createZipf(values, zipf, random)
  return top === 0 ? among : () => (random() < top ? 0 : among())
}

function createZipf(values: number, exponent: number, random: () => number): () => number {
  const ends = new Float64Array(values)
  let sum = 0
  for (let rank = 0; rank < values; rank++) ends[rank] = sum += (rank + 1) ** -exponent
  return () => {
    const wanted = random() * sum
    let [low, high] = [0, values - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle] > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
}
