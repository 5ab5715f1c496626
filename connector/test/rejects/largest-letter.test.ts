import { describe, expect, it } from 'vitest'
import { largestLetterBytes } from '../../src/rejects/largest-letter.ts'
import { answersOf, openLetterDesk } from './letter-desk.ts'
import { recordAt } from './sample.ts'

describe('a dead letter that is too large', () => {
  const large = { value: Buffer.alloc(10_000) }

  it('for its batch is sent alone', async () => {
    const desk = openLetterDesk()
    desk.limit = 11_000

    expect(await answersOf(desk, [recordAt(1), recordAt(2, large), recordAt(3)])).toEqual(['stored', 'stored', 'stored'])
    expect(desk.sends.map((sent) => sent.length)).toEqual([1, 1, 1])
    expect(desk.instead).toEqual([])
  })

  it('stops the work', async () => {
    const desk = openLetterDesk()
    desk.limit = 5000

    expect(await answersOf(desk, [recordAt(1, large)])).toMatchObject([
      { code: 'REJECTS_FAILED', message: 'The dead letter topic "dead" does not take a copy of this size.' }
    ])
  })

  it('is skipped where the settings say so', async () => {
    const desk = openLetterDesk({ tooLarge: 'skip' })
    desk.limit = 5000

    expect(await answersOf(desk, [recordAt(1, large), recordAt(2)])).toEqual(['stored', 'stored'])
    expect(desk.sends.flat().map(({ value }) => String(value))).toEqual(['value-2'])
    expect(desk.instead).toEqual(['skip'])
  })

  it('goes without its value where the settings say so, and says how much is missing', async () => {
    const desk = openLetterDesk({ tooLarge: 'withoutValue' })
    desk.limit = 5000

    expect(await answersOf(desk, [recordAt(1, large)])).toEqual(['stored'])
    expect(desk.sends).toMatchObject([
      [{ value: null, headers: { 'keystamp.value.omitted.bytes': '10000', 'keystamp.code': 'FIELD_MISSING' } }]
    ])
    expect(desk.instead).toEqual(['withoutValue'])
  })

  it('stops the work where it is too large without its value', async () => {
    const desk = openLetterDesk({ tooLarge: 'withoutValue' })
    desk.limit = 5000

    for (const record of [recordAt(1, { ...large, key: Buffer.alloc(6000) }), recordAt(2, { value: null, key: Buffer.alloc(6000) })]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await answersOf(desk, [record])).toMatchObject([
        { code: 'REJECTS_FAILED', message: 'The dead letter topic "dead" does not take a copy even without its value.' }
      ])
    }
  })

  it.each([
    [['my-hubs.servicebus.windows.net:9093'], 1_000_000],
    [['broker-1:9092', 'broker-2:9092'], undefined]
  ])('is known before it is sent to %j: over %j bytes', (brokers, bytes) => {
    expect(largestLetterBytes(brokers)).toBe(bytes)
  })

  it('is not sent at all where the limit is known', async () => {
    const desk = openLetterDesk({ tooLarge: 'withoutValue', maxLetterBytes: 5000 })

    expect(await answersOf(desk, [recordAt(1), recordAt(2, large)])).toEqual(['stored', 'stored'])
    expect(desk.sends.flat().map(({ value }) => value && String(value))).toEqual(['value-1', null])
  })
})
