import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { patchKafkajs } from '../../../src/kafka/kafkajs-patches/patch-kafkajs.ts'
import { fetchResponse } from '../fetch-response.ts'

type Header = readonly [name: string, value: string]

interface Decoded {
  readonly responses: readonly {
    readonly partitions: readonly { readonly messages: readonly { readonly headers: object }[] }[]
  }[]
}

describe('the headers of a record', () => {
  beforeAll(() => patchKafkajs(64 * 1_048_576))

  // compares processor times, which other processes hardly change; without the patch, the ratio is about 25
  it('are collected in one pass, so that a record with very many of them does not delay heartbeats', async () => {
    const small = responseOf(manyHeaders(500))
    const large = responseOf(manyHeaders(10_000))

    expect(Object.keys(await decode(large))).toHaveLength(10_000)
    const smallMs = await shortestMs(async () => {
      for (let run = 0; run < 20; run++) await decode(small)
    })
    const largeMs = await shortestMs(() => decode(large))
    expect(largeMs / smallMs).toBeLessThan(5)
  })

  it.for([2, 12])('keep all values of a name, and names such as constructor (%i headers)', async (count) => {
    const others = Array.from({ length: count - 2 }, (_, index): Header => [`h${index}`, 'v'])
    const twice = await decode(responseOf([['a', '1'], ['a', '2'], ...others]))
    const named = await decode(responseOf([['__proto__', '1'], ['constructor', '2'], ...others]))
    const thrice = await decode(responseOf([['a', '1'], ['a', '2'], ['a', '3'], ...others]))

    expect(texts(twice, 'a')).toEqual(['1', '2'])
    expect(texts(thrice, 'a')).toEqual(['1', '2', '3'])
    expect([texts(named, '__proto__'), Object.hasOwn(named, '__proto__')]).toEqual(['1', true])
    expect([Object.keys(named).length, Object.keys(twice).length]).toEqual([count, count - 1])
  })
})

function manyHeaders(count: number): readonly Header[] {
  return Array.from({ length: count }, (_, index) => [index.toString(36), 'v'])
}

/** Shortest processor time of three runs, in milliseconds: garbage collections and compilations are not in all of them. */
async function shortestMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return Math.min(...times)
}

function texts(headers: object, name: string): unknown {
  const value = Object.entries(headers).find(([key]) => key === name)?.[1] as Buffer | Buffer[]
  return Array.isArray(value) ? value.map(String) : String(value)
}

/** Response to a fetch: one record with these headers. */
function responseOf(headers: readonly Header[]): Buffer {
  const fields = headers.flatMap(([name, value]) => [
    varint(name.length),
    Buffer.from(name),
    varint(value.length),
    Buffer.from(value)
  ])
  const record = Buffer.concat([
    Buffer.from([0]),
    varint(0),
    varint(0),
    varint(-1),
    varint(-1),
    varint(headers.length),
    ...fields
  ])
  const body = Buffer.concat([varint(record.length), record])
  return fetchResponse([[{ firstOffset: 0, records: 1, codec: 0, body }]])
}

/** Headers of the only record of a response. */
async function decode(response: Buffer): Promise<object> {
  const { decode: decodeResponse } = createRequire(import.meta.url)(
    'kafkajs/src/protocol/requests/fetch/v11/response.js'
  ) as {
    readonly decode: (bytes: Buffer) => Promise<Decoded>
  }
  const { responses } = await decodeResponse(response)
  return responses[0].partitions[0].messages[0].headers
}

/** Zigzag, 7 bits a byte. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value < 0 ? -value * 2 - 1 : value * 2
  for (; left > 0x7f; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80)
  return Buffer.from([...bytes, left])
}
