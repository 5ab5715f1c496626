import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { patchKafkajs } from '../../../src/kafka/kafkajs-patches/patch-kafkajs.ts'
import { fetchResponse } from '../fetch-response.ts'

interface Decoded {
  readonly responses: readonly {
    readonly partitions: readonly { readonly messages: readonly { readonly headers: object }[] }[]
  }[]
}

describe('the headers of a record', () => {
  beforeAll(() => patchKafkajs(64 * 1_048_576))

  it('are collected in one pass, so that 100,000 of them do not delay heartbeats', async () => {
    const names = Array.from({ length: 100_000 }, (_, index) => index.toString(36))
    const before = performance.now()
    const headers = await decode(names.map((name) => [name, 'v']))

    expect(Object.keys(headers)).toHaveLength(100_000)
    expect(performance.now() - before).toBeLessThan(5000)
  })

  it.for([2, 12])('keep all values of a name, and names such as constructor (%i headers)', async (count) => {
    const others = Array.from({ length: count - 2 }, (_, index): readonly [string, string] => [`h${index}`, 'v'])
    const twice = await decode([['a', '1'], ['a', '2'], ...others])
    const named = await decode([['__proto__', '1'], ['constructor', '2'], ...others])
    const thrice = await decode([['a', '1'], ['a', '2'], ['a', '3'], ...others])

    expect(texts(twice, 'a')).toEqual(['1', '2'])
    expect(texts(thrice, 'a')).toEqual(['1', '2', '3'])
    expect([texts(named, '__proto__'), Object.hasOwn(named, '__proto__')]).toEqual(['1', true])
    expect([Object.keys(named).length, Object.keys(twice).length]).toEqual([count, count - 1])
  })
})

function texts(headers: object, name: string): unknown {
  const value = Object.entries(headers).find(([key]) => key === name)?.[1] as Buffer | Buffer[]
  return Array.isArray(value) ? value.map(String) : String(value)
}

async function decode(headers: readonly (readonly [string, string])[]): Promise<object> {
  const { decode: decodeResponse } = createRequire(import.meta.url)(
    'kafkajs/src/protocol/requests/fetch/v11/response.js'
  ) as {
    readonly decode: (bytes: Buffer) => Promise<Decoded>
  }
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
  const { responses } = await decodeResponse(fetchResponse([[{ firstOffset: 0, records: 1, codec: 0, body }]]))
  return responses[0].partitions[0].messages[0].headers
}

/** Zigzag, 7 bits a byte. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value < 0 ? -value * 2 - 1 : value * 2
  for (; left > 0x7f; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80)
  return Buffer.from([...bytes, left])
}
