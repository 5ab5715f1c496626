import { describe, expect, test } from 'vitest'
import { checkMaxRejected, openRejectedRecords } from '../src/rejected-records.ts'

const REJECTED = { input: 'in.ndjson', line: 1, code: 'FIELD_MISSING', message: 'A field is missing.', record: '{}' }

describe('`maxRejected` of a load', () => {
  test('is checked as a percentage only after 1,000 records were read', async () => {
    const { add } = await openRejectedRecords({ onError: 'skip', maxRejected: '1%' }, false)

    for (let records = 1; records <= 999; records++) await add(REJECTED, records)

    await expect(add(REJECTED, 1000)).rejects.toMatchObject({
      code: 'REJECTED_TOO_MANY',
      message: '1,000 of 1,000 records were rejected; the limit is 1%. The last: in.ndjson, line 1: A field is missing.'
    })
  })

  test('accepts exactly the given percentage of rejected records', async () => {
    const { add, checkAtEnd } = await openRejectedRecords({ onError: 'skip', maxRejected: '0.5%' }, false)

    for (let records = 1; records <= 10; records++) await add(REJECTED, 2000)

    expect(() => checkAtEnd(2000)).not.toThrow()
    await expect(add(REJECTED, 2000)).rejects.toMatchObject({ code: 'REJECTED_TOO_MANY' })
  })

  test('is checked as a percentage at the end if fewer records were read', async () => {
    const { add, checkAtEnd } = await openRejectedRecords({ onError: 'skip', maxRejected: '10%' }, false)
    await add(REJECTED, 1)
    await add(REJECTED, 2)

    expect(() => checkAtEnd(20)).not.toThrow()
    expect(() => checkAtEnd(19)).toThrow(
      '2 of 19 records were rejected; the limit is 10%. The last: in.ndjson, line 1: A field is missing.'
    )
  })

  test.each(['', ' ', 'few', -1, 1.5, '1e3', '101%', '1 %', '%', '1%%', '.5%'])('cannot be %j', (max) => {
    expect(() => checkMaxRejected(max)).toThrow(
      '`maxRejected` must be a whole number, or a percentage from 0% to 100% such as "1%".'
    )
  })
})
