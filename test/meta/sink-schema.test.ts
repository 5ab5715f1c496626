import { readFileSync } from 'node:fs'
import { type ConfigError, readConfig } from '@keystamp/connector'
import { describe, expect, it } from 'vitest'
import { type Schema, schemaComplaints } from '@keystamp/core/internal'

const published = JSON.parse(readFileSync(new URL('../../docs/sink.schema.json', import.meta.url), 'utf8')) as {
  $defs: Record<string, Schema>
}
// the schema of plans has its own file and its own test
const SCHEMA = { ...published, $defs: { ...published.$defs, plan: true } } as unknown as Schema

const KAFKA = { brokers: ['localhost:9092'], topics: ['drives'] }
const COSMOS = { endpoint: 'http://127.0.0.1:8081/', database: 'fleet', container: 'drives' }
const MINIMAL = { name: 'drives', kafka: KAFKA, cosmos: COSMOS }

const GOOD: readonly object[] = [
  MINIMAL,
  { ...MINIMAL, stallTimeout: '90s', maxInFlightBytes: '64MiB', http: { port: 8080 }, log: { level: 'warn' } },
  {
    ...MINIMAL,
    kafka: {
      ...KAFKA,
      sasl: { mechanism: 'scram-sha-512', username: 'me', password: 'secret' },
      tls: { rejectUnauthorized: false }
    }
  },
  { ...MINIMAL, kafka: { ...KAFKA, brokers: ['${env:BROKER}'], sessionTimeout: '${env:SESSION:-20s}', tls: true } },
  { ...MINIMAL, commit: { everyRecords: '${env:MANY:-5}' } },
  {
    ...MINIMAL,
    cosmos: { ...COSMOS, share: 400 },
    value: 'bytes',
    key: { format: 'avro', schema: { type: 'string' } }
  },
  {
    ...MINIMAL,
    cosmos: { ...COSMOS, container: { drives: 'there' }, share: '50%', sharedThrough: { redis: 'redis://localhost' } }
  },
  { ...MINIMAL, write: { strategy: 'ItemPatch', patch: { properties: { a: 'Increment', b: { path: '/c' } } } } },
  {
    ...MINIMAL,
    write: { ttl: '30d', metadata: { fields: ['topic'] }, dropProperties: ['a'] },
    id: { strategy: 'template', template: '${key}' }
  },
  { ...MINIMAL, write: { ttl: { field: '/ttl' } }, id: { strategy: 'inKey', path: '$' } },
  { sinks: [MINIMAL, { ...MINIMAL, name: 'other' }], http: { port: 1 } }
]

const BAD: readonly object[] = [
  {},
  { ...MINIMAL, stallTimeout: 90 },
  { ...MINIMAL, stallTimeout: 'soon' },
  { ...MINIMAL, stal: '90s' },
  { ...MINIMAL, name: 'with blanks' },
  { ...MINIMAL, kafka: { ...KAFKA, brokers: ['localhost'] } },
  { ...MINIMAL, kafka: { ...KAFKA, sasl: { mechanism: 'plane' } } },
  { ...MINIMAL, kafka: { topics: ['a'] } },
  { ...MINIMAL, cosmos: { ...COSMOS, share: '150%' } },
  { ...MINIMAL, key: 'yaml' },
  { ...MINIMAL, value: { format: 'avro' } },
  { ...MINIMAL, write: { strategy: 'upsert' } },
  { ...MINIMAL, write: { ttl: 30 } },
  { ...MINIMAL, id: { strategy: 'fullKey', path: '/id' } },
  { ...MINIMAL, http: { port: 'eighty' } },
  { sinks: [] },
  { sinks: [MINIMAL], name: 'a' },
  { sinks: [{ ...MINIMAL, http: { port: 1 } }] }
]

describe('the schema of the sink’s configuration', () => {
  it.each(GOOD.map((config) => [JSON.stringify(config), config]))(
    'accepts what readConfig accepts: %s',
    async (text, config) => {
      expect(schemaComplaints(SCHEMA, config)).toEqual([])
      expect(await typeMistakes(text)).toEqual([])
    }
  )

  it.each(BAD.map((config) => [JSON.stringify(config), config]))(
    'refuses what readConfig refuses: %s',
    async (text, config) => {
      expect(schemaComplaints(SCHEMA, config)).not.toEqual([])
      expect(await typeMistakes(text)).not.toEqual([])
    }
  )
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
