import type { VehicleRecord } from '@keystamp/testkit'

const record = (name: string, fields: Readonly<Record<string, unknown>>): object => ({
  type: 'record',
  name,
  fields: Object.entries(fields).map(([field, type]) => ({ name: field, type }))
})
const list = (items: unknown): object => ({ type: 'array', items })
const optionalText = ['null', 'string'] as const

/** Avro schema for the vehicles of the testkit, as a producer registers it. */
export const vehicleSchema: object = record('Vehicle', {
  id: 'string',
  schemaVersion: 'string',
  deviceId: 'string',
  date: 'int',
  day: 'string',
  ts: 'string',
  type: 'string',
  vehicle: record('Model', {
    make: 'string',
    model: 'string',
    year: 'int',
    owner: record('Owner', { name: 'string', deviceId: 'string', date: 'int', VIN: 'string' })
  }),
  location: record('Location', { lat: 'double', lon: 'double', alt: 'int', hdop: 'double', address: 'string' }),
  sensors: list(record('Sensor', { n: 'string', v: 'double', u: 'string', t: 'long' })),
  VIN: 'string',
  dtc: list('string'),
  trip: record('Trip', {
    id: 'int',
    dist: 'double',
    active: 'boolean',
    parent: optionalText,
    path: list(list('double'))
  }),
  driver: record('Driver', { note: 'string', score: 'double' }),
  flags: record('Flags', { abs: 'boolean', esp: 'boolean', partitionKey: optionalText, hazard: optionalText }),
  fw: 'string'
})

/** Adds the fields that only the schema has, and removes those that it does not have: an Avro record has all fields. */
export function complete({ partitionKey: _old, ...vehicle }: VehicleRecord): VehicleRecord {
  return { ...vehicle, flags: { partitionKey: null, hazard: null, ...(vehicle['flags'] as object) } }
}
