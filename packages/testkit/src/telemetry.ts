import { createRandom, type Random } from './random.ts'

/** A record of about 1 KB, as a vehicle would send it. */
export interface VehicleRecord {
  readonly [name: string]: unknown
  readonly id: string
  readonly deviceId: string
  /** The year. */
  readonly date: number
  /** The day, as 2018-08-09. */
  readonly day: string
  readonly VIN: string
  /** ISO 8601. */
  readonly ts: string
}

/** A record of about 156 bytes. */
export interface SensorRecord {
  readonly [name: string]: unknown
  readonly deviceId: string
  readonly date: number
  readonly day: string
  readonly VIN: string
  /** Milliseconds since 1970. */
  readonly t: number
}

/** Endless supply of telemetry records: the same ones for the same seed. */
export interface Telemetry {
  /**
   * About 1 KB: nested objects with the same property names, escapes, 32 % with characters beyond ASCII, 1 % with an
   * existing partitionKey.
   */
  readonly big: () => VehicleRecord
  /** Like `big`, without characters beyond ASCII. */
  readonly bigAscii: () => VehicleRecord
  /** Like `big`, with the fields of the key at the end. */
  readonly bigLate: () => VehicleRecord
  readonly small: () => SensorRecord
}

/** Creates telemetry for benches, tests and the demo. */
export function createTelemetry(seed: number): Telemetry {
  const random = createRandom(seed)
  let count = 0
  return {
    big: () => createVehicleRecord(random, { ascii: false, late: false }),
    bigAscii: () => createVehicleRecord(random, { ascii: true, late: false }),
    bigLate: () => createVehicleRecord(random, { ascii: false, late: true }),
    small: () => createSensorRecord(random, count++)
  }
}

interface Variant {
  readonly ascii: boolean
  readonly late: boolean
}

const WIDE_SHARE = 0.35

function createVehicleRecord(random: Random, variant: Variant): VehicleRecord {
  const wide = !variant.ascii && random.chance(WIDE_SHARE)
  const time = createTime(random)
  const head = { id: createUuid(random), schemaVersion: '2.3.1' }
  const key = { deviceId: createDeviceId(random), date: time.year, day: time.day }
  const body = createBody(random, time, wide)
  const VIN = createVin(random)
  const existing = random.chance(0.01) ? { partitionKey: 'old-key' } : {}
  const tail = createTail(random, wide)
  return variant.late
    ? { ...head, ...body, ...tail, VIN, ...existing, ...key }
    : { ...head, ...key, ...body, VIN, ...existing, ...tail }
}

const MAKES = ['Škoda', 'Peugeot', 'Toyota', 'BMW', 'Citroën', 'Ford', 'Volvo', '日産'] as const
const OWNERS = [
  'Jiří Nováček',
  'Anne Smith',
  'José Álvarez',
  'Иван Петров',
  '李小龍',
  'Bob "Bobby" Brown',
  "O'Neil",
  'Zoë'
] as const
const ASCII_OWNERS = [
  'Jiri Novacek',
  'Anne Smith',
  'Jose Alvarez',
  'Ivan Petrov',
  'Li Xiaolong',
  'Bob "Bobby" Brown',
  "O'Neil",
  'Zoe'
] as const
const STREETS = [
  'Straße des 17. Juni 135, 10623 Berlin',
  "Rue de l'Église 12, Genève",
  '5th Ave 350, New York, NY 10118'
] as const
const ASCII_STREET = '1600 Amphitheatre Pkwy, Mountain View, CA'

function createBody(random: Random, time: Time, wide: boolean) {
  return {
    ts: new Date(time.at).toISOString(),
    type: 'telemetry',
    vehicle: {
      make: wide ? random.pick(MAKES) : 'Toyota',
      model: 'Octavia "RS"',
      year: 2010 + random.below(9),
      owner: {
        name: random.pick(wide ? OWNERS : ASCII_OWNERS),
        deviceId: `nested-${random.below(1e6)}`,
        date: 1999,
        VIN: 'NESTEDVIN00000000'
      }
    },
    location: {
      lat: random.next() * 180 - 90,
      lon: random.next() * 360 - 180,
      alt: random.below(3000),
      hdop: 0.9,
      address: wide ? random.pick(STREETS) : ASCII_STREET
    },
    sensors: SENSORS.map(([n, u, scale]) => ({
      n,
      v: Math.round(random.next() * scale * 100) / 100,
      u,
      t: time.at + random.below(1000)
    }))
  }
}

const SENSORS = [
  ['rpm', '1/min', 6000],
  ['speed', 'km/h', 200],
  ['fuel', 'l', 70],
  ['coolant', 'degC', 110]
] as const

const COMMON_NOTES = [
  'ok',
  'driver said: "deviceId":"fake-1","date":1900 }',
  'path C:\\logs\\today\\',
  'line one\nline two\ttabbed',
  '{"deviceId":"x","date":1}',
  'all good; next service in 12 000 km'
] as const
const NOTES = [...COMMON_NOTES, '🚗💨 fast', 'brakes \u2028 checked'] as const
const ASCII_NOTES = [...COMMON_NOTES, 'fast', 'brakes checked'] as const

function createTail(random: Random, wide: boolean) {
  return {
    dtc: random.chance(0.3) ? ['P0301', 'P0420'] : [],
    trip: {
      id: random.below(1e9),
      dist: random.below(1e5) / 100,
      active: random.chance(0.5),
      parent: null,
      path: [
        [random.next() * 90, random.next() * 90],
        [1, 2],
        [-3.5e-7, 4]
      ]
    },
    driver: { note: random.pick(wide ? NOTES : ASCII_NOTES), score: random.next() },
    flags: random.chance(0.02)
      ? { abs: false, esp: true, partitionKey: 'nested-no' }
      : { abs: false, esp: true, hazard: 'nested-no' },
    fw: 'v4.19.2-rc1'
  }
}

function createSensorRecord(random: Random, number: number): SensorRecord {
  const time = createTime(random)
  return {
    deviceId: createDeviceId(random),
    date: time.year,
    day: time.day,
    VIN: createVin(random),
    t: 1_533_818_096_000 + number,
    v: random.below(1e5) / 100,
    u: random.chance(0.05) ? '°C' : 'km/h',
    ok: random.chance(0.9),
    pos: [random.below(1e6) / 1e4, random.below(1e6) / 1e4],
    ...(random.chance(0.005) ? { partitionKey: 'old' } : {})
  }
}

interface Time {
  readonly at: number
  readonly year: number
  readonly day: string
}

const DAY_MS = 86_400_000

function createTime(random: Random): Time {
  const year = 2016 + random.below(4)
  const midnight = Date.UTC(year, random.below(12), 1 + random.below(28))
  return { at: midnight + random.below(DAY_MS), year, day: new Date(midnight).toISOString().slice(0, 10) }
}

function createDeviceId(random: Random): string {
  return `abc-${String(random.below(50_000)).padStart(6, '0')}`
}

function createVin(random: Random): string {
  return random.text(17, 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789')
}

function createUuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((length) => random.text(length, '0123456789abcdef')).join('-')
}
