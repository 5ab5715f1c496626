import { readFileSync } from 'node:fs'
import { type ConfigError, readConfig } from '@keystamp/connector'
import { describe, expect, it } from 'vitest'
import { type Schema, schemaComplaints } from './json-schema.ts'

const published = JSON.parse(readFileSync(new URL('../../docs/sink.schema.json', import.meta.url), 'utf8')) as {
  $defs: Record<string, Schema>
}
// the schema of plans has a file and a test of its own
const SCHEMA = { ...published, $defs: { ...published.$defs, plan: true } } as unknown as Schema

const KAFKA = { brokers: ['localhost:9092'], topics: ['drives'] }
const COSMOS = { endpoint: 'http://127.0.0.1:8081/', database: 'fleet', container: 'drives' }
const LEAST = { name: 'drives', kafka: KAFKA, cosmos: COSMOS }

const GOOD: readonly object[] = [
  LEAST,
  { ...LEAST, stallTimeout: '90s', maxInFlightBytes: '64MiB', http: { port: 8080 }, log: { level: 'warn' } },
  {
    ...LEAST,
    kafka: { ...KAFKA, sasl: { mechanism: 'scram-sha-512', username: 'me', password: 'secret' }, tls: { rejectUnauthorized: false } }
  },
  { ...LEAST, kafka: { ...KAFKA, brokers: ['${env:BROKER}'], sessionTimeout: '${env:SESSION:-20s}', tls: true } },
  { ...LEAST, commit: { everyRecords: '${env:MANY:-5}' } },
  { ...LEAST, cosmos: { ...COSMOS, share: 400 }, value: 'bytes', key: { format: 'avro', schema: { type: 'string' } } },
  { ...LEAST, cosmos: { ...COSMOS, container: { drives: 'there' }, share: '50%', sharedThrough: { redis: 'redis://localhost' } } },
  { ...LEAST, write: { strategy: 'ItemPatch', patch: { properties: { a: 'Increment', b: { path: '/c' } } } } },
  {
    ...LEAST,
    write: { ttl: '30d', metadata: { fields: ['topic'] }, dropProperties: ['a'] },
    id: { strategy: 'template', template: '${key}' }
  },
  { ...LEAST, write: { ttl: { field: '/ttl' } }, id: { strategy: 'inKey', path: '$' } },
  { sinks: [LEAST, { ...LEAST, name: 'other' }], http: { port: 1 } }
]

const BAD: readonly object[] = [
  {},
  { ...LEAST, stallTimeout: 90 },
  { ...LEAST, stallTimeout: 'soon' },
  { ...LEAST, stal: '90s' },
  { ...LEAST, name: 'with blanks' },
  { ...LEAST, kafka: { ...KAFKA, brokers: ['localhost'] } },
  { ...LEAST, kafka: { ...KAFKA, sasl: { mechanism: 'plane' } } },
  { ...LEAST, kafka: { topics: ['a'] } },
  { ...LEAST, cosmos: { ...COSMOS, share: '150%' } },
  { ...LEAST, key: 'yaml' },
  { ...LEAST, value: { format: 'avro' } },
  { ...LEAST, write: { strategy: 'upsert' } },
  { ...LEAST, write: { ttl: 30 } },
  { ...LEAST, id: { strategy: 'fullKey', path: '/id' } },
  { ...LEAST, http: { port: 'eighty' } },
  { sinks: [] },
  { sinks: [LEAST], name: 'a' },
  { sinks: [{ ...LEAST, http: { port: 1 } }] }
]

describe('the schema of the sink’s configuration', () => {
  it.each(GOOD.map((config) => [JSON.stringify(config), config]))('takes what is read: %s', async (text, config) => {
    expect(schemaComplaints(SCHEMA, config)).toEqual([])
    expect(await typeMistakes(text)).toEqual([])
  })

  it.each(BAD.map((config) => [JSON.stringify(config), config]))('refuses what is refused: %s', async (text, config) => {
    expect(schemaComplaints(SCHEMA, config)).not.toEqual([])
    expect(await typeMistakes(text)).not.toEqual([])
  })
})

async function typeMistakes(text: string): Promise<readonly string[]> {
  try {
    await readConfig({ text, name: 'sink.json' }, { env: { BROKER: 'localhost:9092' }, readFile })
    return []
  } catch (error) {
    return (error as ConfigError).mistakes.map(({ message }) => message)
  }
}

function readFile(): Promise<string> {
  return Promise.reject(new Error('there is no such file'))
}
