import { describe, expect, it } from 'vitest'
import type { SinkRecord } from '../../src/kafka/consumer-port.ts'
import { createDecoder } from '../../src/decode/decoder.ts'
import { SINK_CODES, type SinkCode } from '../../src/dead-letter/sink-codes.ts'
import { mapOne } from '../map/sample.ts'
import { shaped } from '../shape/shape-of.ts'
import { recordAt } from './sample.ts'

const DOCUMENT = { id: 'i', pk: 'p' }

/** For every code of the sink, a record that is rejected with it. */
const MAKERS: Readonly<Record<SinkCode, () => unknown>> = {
  DECODE_FAILED: () => decodeText(Buffer.from([0xff])),
  SCHEMA_UNKNOWN: decodeUnknownSchema,
  BATCH_TOO_LARGE: () => decode(recordAt(1, { key: null, value: null, oversizedBatch: OVERSIZED })),
  TOMBSTONE_REJECTED: () => mapOne(undefined, { write: { tombstones: 'reject' } }),
  PATCH_EMPTY: () => mapOne(DOCUMENT, { write: { strategy: 'patch' } }),
  PATCH_NOT_NUMBER: () =>
    mapOne(
      { ...DOCUMENT, a: 'x' },
      { write: { strategy: 'patch', patch: { operation: 'increment', members: new Map(), condition: undefined } } }
    ),
  TIMESTAMP_MISSING: () =>
    mapOne(DOCUMENT, { write: { newerBy: { ...NEWER_BY, order: 'timestamp' } }, record: { timestamp: '-1' } }),
  TOPIC_ID_MISSING: () => mapOne(DOCUMENT, { write: { newerBy: { ...NEWER_BY, order: 'offset' } } }),
  SHAPE_FAILED: () => shaped([{ extract: '/missing' }], JSON.stringify(DOCUMENT)),
  TTL_INVALID: () => mapOne({ ...DOCUMENT, a: 'x' }, { defaultTtl: -1, write: { ttl: { field: '/a' } } })
}

const NEWER_BY = { ties: 'reject', markerTtl: 3600 } as const

const SETTINGS = { key: { format: 'text' }, numbers: { int64: 'string', decimal: 'string' } } as const

const OVERSIZED = { firstOffset: '0', lastOffset: '1', bytes: 600, maxBytes: 1000 }

function decodeText(value: Uint8Array): unknown {
  return decode(recordAt(1, { value }))
}

function decode(record: SinkRecord): unknown {
  return createDecoder({ ...SETTINGS, value: { format: 'text' }, registry: undefined }).decode(record)
}

async function decodeUnknownSchema(): Promise<unknown> {
  const registry = {
    url: 'http://127.0.0.1:1',
    username: undefined,
    password: undefined,
    token: undefined,
    timeoutMs: 1000
  }
  const decoder = createDecoder({ ...SETTINGS, value: { format: 'registry' }, registry }, { httpGet: findNothing })
  return decoder.decode(recordAt(1, { value: Buffer.from([0, 0, 0, 0, 9, 1]) }))
}

async function findNothing(): Promise<{ readonly status: number; readonly body: string }> {
  return { status: 404, body: JSON.stringify({ error_code: 40_403 }) }
}

describe('every error code of the sink', () => {
  it.each(Object.entries(MAKERS))('is the code of a rejected record: %s', async (code, reject) => {
    expect(await reject()).toMatchObject({ ok: false, code, message: expect.stringMatching(/^[A-Z].*\.$/) as string })
  })

  it('is documented with a sentence, a cause and a remedy that end with a full stop', () => {
    for (const [code, { sentence, cause, remedy }] of Object.entries(SINK_CODES)) {
      for (const text of [sentence, cause, remedy]) expect(`${code}: ${text}`).toMatch(/: \S.*[.]$/)
    }
  })
})
