/** A record for a topic. */
export interface GeneratedRecord {
  readonly key: string
  readonly value: Buffer
}

/** Generates vehicle telemetry of one day without end, about 1 KB a record; the same records for the same seed. */
export function createVehicleRecords(seed: number): (count: number) => readonly GeneratedRecord[] {
  const random = createRandom(seed)
  return (count) =>
    Array.from({ length: count }, () => {
      const record = createVehicleRecord(random)
      return { key: record.VIN, value: Buffer.from(JSON.stringify(record)) }
    })
}

/** Gives a whole number, at least 0 and below `count`. */
type Random = (count: number) => number

const DAY = '2018-08-09'
const DAY_MS = 86_400_000
const SENSORS = [
  ['rpm', '1/min', 6000],
  ['speed', 'km/h', 200],
  ['fuel', 'l', 70],
  ['coolant', 'degC', 110]
] as const

function createVehicleRecord(random: Random) {
  const time = Date.parse(DAY) + random(DAY_MS)
  const text = (length: number, alphabet: string): string =>
    Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')
  return {
    id: [8, 4, 4, 4, 12].map((length) => text(length, '0123456789abcdef')).join('-'),
    schemaVersion: '2.3.1',
    deviceId: `abc-${String(random(50_000)).padStart(6, '0')}`,
    day: DAY,
    ts: new Date(time).toISOString(),
    type: 'telemetry',
    vehicle: {
      make: 'Škoda',
      model: 'Octavia RS',
      year: 2010 + random(9),
      owner: { name: 'Anne Smith', customer: `customer-${random(1e6)}` }
    },
    location: {
      lat: random(180e6) / 1e6 - 90,
      lon: random(360e6) / 1e6 - 180,
      alt: random(3000),
      hdop: 0.9,
      address: '5th Ave 350, New York, NY 10118'
    },
    sensors: SENSORS.map(([name, unit, scale]) => ({
      name,
      value: random(scale * 100) / 100,
      unit,
      t: time + random(1000)
    })),
    VIN: text(17, 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'),
    dtc: random(10) < 3 ? ['P0301', 'P0420'] : [],
    trip: {
      id: random(1e9),
      dist: random(1e5) / 100,
      active: random(2) === 0,
      parent: null,
      path: [[random(90e6) / 1e6, random(90e6) / 1e6]]
    },
    driver: { note: 'all good; next service in 12 000 km', score: random(1e6) / 1e6 },
    flags: { abs: false, esp: true, hazard: false },
    fw: 'v4.19.2-rc1'
  }
}

/** The generator mulberry32: small, fast, and good enough for a demo. */
function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (count) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count)
  }
}
