import { createRandom } from '@keystamp/planner'

/** Makes records of 1 KB with 30 paths; the same memory for every record, so that making one costs little. */
export interface RecordMaker {
  readonly bytes: Uint8Array
  /** Writes the next record into `bytes`, from 0 on. */
  readonly next: () => void
}

/** Values of each field: how many there are, and how skewed they are. */
const FIELDS: readonly (readonly [name: string, values: number, skew: number])[] = [
  ['deviceId', 50_000, 1],
  ['fleetId', 200, 2],
  ['tenantId', 300, 3],
  ['customerId', 20_000, 1.5],
  ['orderId', 350_000, 1],
  ['region', 12, 1],
  ['type', 6, 1],
  ['status', 4, 2],
  ['model', 40, 1.5],
  ['driverId', 80_000, 1],
  ['batch', 5000, 1],
  ['sensor', 64, 1]
]
const FIXED = 13
const START = Date.UTC(2026, 10, 18)
const RECORD_BYTES = 1000

export function createRecordMaker(seed: number): RecordMaker {
  const random = createRandom(seed)
  let number = 0
  const record = {
    id: digits(0),
    at: new Date(START).toISOString(),
    ...Object.fromEntries(FIELDS.map(([name]) => [name, `${name.slice(0, 3)}-${digits(0)}`])),
    position: { latitude: 47.123_456, longitude: 8.543_21, height: 412 },
    ...Object.fromEntries(Array.from({ length: FIXED - 1 }, (_, index) => [`reading${index}`, 20.5 + index])),
    payload: ''
  }
  record.payload = 'x'.repeat(RECORD_BYTES - JSON.stringify(record).length)
  const text = JSON.stringify(record)
  const bytes = Buffer.from(text)
  const idAt = text.indexOf('"id":"') + 6
  const timeAt = text.indexOf('"at":"') + 6
  const fieldsAt = FIELDS.map(([name]) => text.indexOf(`"${name}":"`) + name.length + 4 + 4)
  return { bytes, next }

  function next(): void {
    writeDigits(bytes, idAt, number)
    bytes.write(new Date(START + number * 25).toISOString(), timeAt, 'latin1')
    for (let field = 0; field < FIELDS.length; field++) {
      const [, values, skew] = FIELDS[field]
      writeDigits(bytes, fieldsAt[field], Math.floor(values * random() ** skew))
    }
    number++
  }
}

const DIGITS = 9

function digits(number: number): string {
  return String(number).padStart(DIGITS, '0')
}

function writeDigits(bytes: Uint8Array, at: number, number: number): void {
  let rest = number
  for (let digit = at + DIGITS - 1; digit >= at; digit--) {
    const tenth = Math.floor(rest / 10)
    bytes[digit] = 0x30 + rest - tenth * 10
    rest = tenth
  }
}
