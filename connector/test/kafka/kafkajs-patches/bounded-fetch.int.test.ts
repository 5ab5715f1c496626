import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { compress as compressLz4 } from 'lz4js'
import { compress as compressSnappy } from 'snappyjs'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { OversizedBatch } from '../../../src/kafka/consumer-port.ts'
import { patchKafkajs } from '../../../src/kafka/kafkajs-patches/patch-kafkajs.ts'
import { fetchResponse, recordsOf, type TestBatch } from '../fetch-response.ts'
import { zstdOfZeros } from '../zstd-of-zeros.ts'

const LIMIT = 1_000_000
const BOMB = Buffer.alloc(3_000_000)

interface DecodedMessage {
  readonly offset: string
  readonly isControlRecord: boolean
  readonly oversizedBatch?: OversizedBatch
}

interface Decoded {
  readonly responses: readonly {
    readonly partitions: readonly { readonly messages: readonly DecodedMessage[] }[]
  }[]
}

async function decode(
  partitions: readonly (readonly TestBatch[])[],
  cutBytes = 0
): Promise<readonly (readonly string[])[]> {
  const { decode: decodeResponse } = createRequire(import.meta.url)(
    'kafkajs/src/protocol/requests/fetch/v11/response.js'
  ) as {
    readonly decode: (bytes: Buffer) => Promise<Decoded>
  }
  const { responses } = await decodeResponse(fetchResponse(partitions, cutBytes))
  return responses[0].partitions.map(({ messages }) =>
    messages.map(({ offset, isControlRecord, oversizedBatch }) => {
      if (oversizedBatch !== undefined) return `${oversizedBatch.firstOffset}-${offset} refused`
      return isControlRecord ? `${offset} invisible` : offset
    })
  )
}

function batch(firstOffset: number, values: readonly Buffer[], codec = 1): TestBatch {
  const body = recordsOf(values)
  return { firstOffset, records: values.length, codec, body: codec === 1 ? gzipSync(body) : body }
}

const SMALL = [Buffer.from('a'), Buffer.from('b')]

describe('a fetch', () => {
  beforeEach(() => patchKafkajs(LIMIT))
  afterAll(() => patchKafkajs(64 * 1_048_576))

  it.for<readonly [string, number, Buffer]>([
    ['gzip', 1, gzipSync(BOMB)],
    ['snappy', 2, Buffer.from(compressSnappy(BOMB))],
    ['lz4', 3, Buffer.from(compressLz4(BOMB))],
    ['zstd', 4, zstdOfZeros(BOMB.length)]
  ])(
    'refuses a batch above the limit with its offsets, and reads the other partitions: %s',
    async ([, codec, body]) => {
      const bomb: TestBatch = { firstOffset: 7, records: 5, codec, body }

      // after a refused batch the others are fetched again, since the memory is not free yet
      expect(await decode([[bomb, batch(12, SMALL, 0)], [batch(20, SMALL, 0)]])).toEqual([['7-11 refused'], []])
      expect(await decode([[batch(12, SMALL, 0)], [batch(20, SMALL, 0), bomb]])).toEqual([
        ['12', '13'],
        ['20', '21']
      ])
    }
  )

  // checks L6
  it('decompresses up to the limit, and leaves the rest for the next fetch', async () => {
    const large = [Buffer.alloc(600_000)]

    expect(
      await decode([[batch(0, large), batch(1, large), batch(2, SMALL)], [batch(9, SMALL)], [batch(30, large)]])
    ).toEqual([['0'], ['9', '10'], []])
  })

  it('refuses a batch of too many records, each of which takes memory', async () => {
    const tiny = Array.from({ length: 10_000 }, () => Buffer.alloc(1))

    expect(await decode([[batch(0, tiny)]])).toEqual([['0-9999 refused']])
  })

  // checks L6
  it.for([
    ['compressed', 1],
    ['plain', 0]
  ] as const)('refuses a batch of too many headers, each of which takes memory: %s', async ([, codec]) => {
    const body = recordsOf(
      Array.from({ length: 100 }, () => Buffer.alloc(1)),
      100
    )
    const bomb = { firstOffset: 0, records: 100, codec, body: codec === 1 ? gzipSync(body) : body }

    expect(await decode([[bomb], [batch(20, SMALL, 0)]])).toEqual([['0-99 refused'], []])
    expect(await decode([[batch(20, SMALL, 0), batch(22, SMALL, 1)]])).toEqual([['20', '21', '22', '23']])
  })

  it.for([
    ['plain', 0],
    ['gzip', 1],
    ['zstd', 4]
  ] as const)('skips a batch that compaction has emptied, up to its last offset: %s', async ([, codec]) => {
    const emptied: TestBatch = {
      firstOffset: 7,
      records: 0,
      lastOffset: 36,
      codec,
      body: Buffer.alloc(0),
      producerId: 259
    }

    expect(await decode([[emptied], [emptied, batch(40, SMALL, 0)]])).toEqual([
      ['36 invisible'],
      ['36 invisible', '40', '41']
    ])
  })

  it('stops at a batch that was cut off, as kafkajs does', async () => {
    expect(await decode([[batch(0, SMALL), batch(2, SMALL)]], 1)).toEqual([['0', '1']])
  })
})
