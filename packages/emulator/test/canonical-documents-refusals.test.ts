import { describe, expect, it } from 'vitest'
import { bulkHeaders } from './contract/wire.ts'
import { upsert, useTwoEmulators } from './two-emulators.ts'

describe('a request whose documents are canonical JSON', () => {
  const two = useTwoEmulators()

  it.each([
    ['one operation', true],
    ['the whole request', { bulk: 'request' }]
  ] as const)(
    'is throttled in the same way as a request that is parsed into objects if throttling refuses %s',
    async (_, throttle) => {
      const path = await two.makeContainer({})
      for (const emulator of two.emulators) emulator.throttle(throttle)
      const operations = Array.from({ length: 100 }, (__, n) =>
        upsert({ id: String(n), pk: 'a', text: 'é'.repeat(n * 10) })
      )
      const answers: string[] = []
      for (let round = 0; round < 4; round++) {
        answers.push((await two.both('POST', `${path}/docs`, bulkHeaders('0'), operations)).text)
        for (const { clock } of two.emulators) clock.advance(round * 700)
      }
      expect(answers.join('')).toMatch(/"statusCode":20[01]/)
      expect(answers.join('')).toMatch(/429|TooManyRequests/)
      await two.compareStores(path)
    }
  )

  it('is matched by the same fault rules for an id and for a partition key as a request that is parsed into objects', async () => {
    const path = await two.makeContainer({})
    for (const { faults } of two.emulators) {
      faults.inject({ on: 'bulkOperation', id: 'struck', action: { kind: 'status', status: 503 } })
      faults.inject({ on: 'bulkOperation', partitionKey: '["é"]', action: { kind: 'applyThenStatus', status: 408 } })
    }
    const operations = [
      upsert({ id: 'struck', pk: 'a' }),
      upsert({ id: 'spared', pk: 'a' }),
      upsert({ id: 'x', pk: 'é' }, ['é']),
      upsert({ id: 5, pk: 'a' })
    ]
    const answer = await two.both('POST', `${path}/docs`, bulkHeaders('0'), operations)

    expect((JSON.parse(answer.text) as { statusCode: number }[]).map(({ statusCode }) => statusCode)).toEqual([
      503, 201, 408, 400
    ])
    await two.compareStores(path)
  })

  it('gets 413 for a document that is too large, and 400 for one that is nested too deeply', async () => {
    const path = await two.makeContainer({})
    const large = { id: 'large', pk: 'a', text: '' }
    large.text = 'x'.repeat(2 * 1024 * 1024 - JSON.stringify(large).length)
    const deep = (levels: number): object => (levels === 1 ? {} : { a: deep(levels - 1) })
    const statuses: number[] = []
    for (const body of [
      large,
      { ...large, text: `${large.text}x` },
      { id: 'd', pk: 'a', ...deep(128) },
      { id: 'e', pk: 'a', ...deep(129) }
    ]) {
      const answer = await two.both('POST', `${path}/docs`, bulkHeaders('0', { prefer: 'return=minimal' }), [
        upsert(body)
      ])
      statuses.push((JSON.parse(answer.text) as { statusCode: number }[])[0].statusCode)
    }

    expect(statuses).toEqual([201, 413, 201, 400])
    await two.compareStores(path)
  })
})
