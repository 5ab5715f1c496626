import { describe, expect, it } from 'vitest'
import { type AccountOptions, checkAccountOptions } from '../../src/client/account-options.ts'

const GOOD: AccountOptions = { endpoint: 'https://account.example/', key: 'c2VjcmV0', database: 'd', container: 'c' }

describe('checkAccountOptions', () => {
  it('accepts an endpoint, a key, and the names of a database and a container', () => {
    expect(() => checkAccountOptions(GOOD)).not.toThrow()
  })

  it.each([
    ['an endpoint without a scheme', { endpoint: 'account.example' }, /`endpoint`/],
    ['an endpoint that is not a string', { endpoint: 7 }, /`endpoint`/],
    ['an empty name', { container: '' }, /`container`/],
    ['a path instead of a name', { database: 'dbs/d' }, /`database`/],
    ['neither key nor credential', { key: undefined }, /`key`/],
    ['both key and credential', { credential: { getToken: async () => null } }, /either/],
    ['a key that is not base64', { key: 'my secret key' }, /base64/]
  ])('refuses %s', (_, change, message) => {
    const options = { ...GOOD, ...change } as AccountOptions

    expect(() => checkAccountOptions(options)).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringMatching(message) })
    )
  })

  it('reads endpoint and key from a connection string', () => {
    const { endpoint, key, ...others } = GOOD
    const connectionString = `AccountEndpoint=${endpoint};AccountKey=${key as string};`

    expect(checkAccountOptions({ ...others, connectionString })).toEqual(GOOD)
    expect(
      checkAccountOptions({ ...others, connectionString: `AccountEndpoint=${endpoint}`, credential: {} as never })
    ).toMatchObject({
      endpoint
    })
  })

  it.each([
    [
      'a connection string as `key`',
      { key: 'AccountEndpoint=https://a/;AccountKey=c2VjcmV0;' },
      /`key` contains a connection string: pass it as `connectionString`/
    ],
    [
      'a connection string as `endpoint`',
      { endpoint: 'AccountEndpoint=https://a/;AccountKey=c2VjcmV0;' },
      /`endpoint` contains/
    ],
    [
      'a connection string in addition to an endpoint',
      { connectionString: 'AccountEndpoint=https://a/;AccountKey=c2VjcmV0;' },
      /either `connectionString`/
    ],
    [
      'a connection string without a key',
      { endpoint: undefined, key: undefined, connectionString: 'AccountEndpoint=https://a/' },
      /no AccountKey/
    ]
  ])('throws for %s, and does not repeat the connection string', (_, change, message) => {
    expect(() => checkAccountOptions({ ...GOOD, ...change } as AccountOptions)).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringMatching(message) })
    )
    expect(() => checkAccountOptions({ ...GOOD, ...change } as AccountOptions)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('c2VjcmV0') })
    )
  })

  it('never shows a key in a message', () => {
    expect(() => checkAccountOptions({ ...GOOD, key: 'my secret key' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('my secret key') })
    )
  })
})
