import { describe, expect, it } from 'vitest'
import { readContainer, readContainerPair } from '../../src/containers/container-access.ts'

const KEYS = { one: Buffer.from('key one').toString('base64'), two: Buffer.from('key two').toString('base64') }
const ONE = 'https://one.documents.azure.com/'
const TWO = 'https://two.documents.azure.com/'
const connection = (endpoint: string, key: string): string => `AccountEndpoint=${endpoint};AccountKey=${key};`

describe('two containers', () => {
  it('are in the account of COSMOS_CONNECTION_STRING if only that is set', async () => {
    const env = { COSMOS_CONNECTION_STRING: connection(ONE, KEYS.one) }
    const common = { endpoint: ONE, database: 'd', key: KEYS.one }
    expect(await readContainerPair(['d/a', 'd/b'], 'verify', env)).toEqual([
      { ...common, container: 'a' },
      { ...common, container: 'b' }
    ])
    expect(await readContainerPair([`${ONE}d/a`, `${ONE}d/b`], 'verify', { COSMOS_KEY: KEYS.two })).toEqual([
      { ...common, container: 'a', key: KEYS.two },
      { ...common, container: 'b', key: KEYS.two }
    ])
  })

  it('may be in two accounts', async () => {
    const from = { endpoint: ONE, database: 'd', container: 'a', key: KEYS.one }
    const to = { endpoint: TWO, database: 'd', container: 'b', key: KEYS.two }
    const first = { COSMOS_CONNECTION_STRING: connection(ONE, KEYS.one) }
    const second = { COSMOS_TO_CONNECTION_STRING: connection(TWO, KEYS.two) }
    expect(await readContainerPair(['d/a', 'd/b'], 'verify', { ...first, ...second })).toEqual([from, to])
    expect(await readContainerPair(['d/a', `${TWO}d/b`], 'verify', { ...first, ...second })).toEqual([from, to])
    expect(await readContainerPair(['d/a', `${TWO}d/b`], 'verify', { ...first, COSMOS_TO_KEY: KEYS.two })).toEqual([
      from,
      to
    ])
    const keys = { COSMOS_KEY: KEYS.one, COSMOS_TO_KEY: KEYS.two }
    expect(await readContainerPair([`${ONE}d/a`, `${TWO}d/b`], 'verify', keys)).toEqual([from, to])
  })

  it('never have the key of the first account sent to the second one', async () => {
    const first = { COSMOS_CONNECTION_STRING: connection(ONE, KEYS.one), COSMOS_KEY: KEYS.one }
    const [, to] = await readContainerPair(['d/a', 'http://127.0.0.1:8081/d/b'], 'verify', first)
    expect(JSON.stringify(to)).not.toContain(KEYS.one)
  })

  it.each([
    [{ COSMOS_TO_KEY: 'no key' }, /^COSMOS_TO_KEY is not an account key/],
    [{}, /Set COSMOS_TO_KEY to an account key, or COSMOS_TO_CONNECTION_STRING/],
    [{ COSMOS_TO_CONNECTION_STRING: 'nonsense' }, /^COSMOS_TO_CONNECTION_STRING: /]
  ])('name the variables of the second account in messages (%j)', async (env, message) => {
    const all = { COSMOS_KEY: KEYS.one, ...env }
    await expect(readContainerPair([`${ONE}d/a`, `${TWO}d/b`], 'verify', all)).rejects.toThrow(message)
  })

  it('are named by the command in messages', async () => {
    await expect(readContainer('https://one', 'verify', {})).rejects.toThrow(
      /^keystamp verify takes an endpoint, a database and a container, such as https:/
    )
    await expect(readContainer('d/c', 'verify', {})).rejects.toThrow(
      /^d\/c does not name the account\. Set the variable COSMOS_CONNECTION_STRING, and write my-database\/my-container/
    )
    await expect(readContainerPair([`${ONE}d/a`, 'b'], 'verify', { COSMOS_KEY: KEYS.one })).rejects.toThrow(/not "b"/)
  })
})
