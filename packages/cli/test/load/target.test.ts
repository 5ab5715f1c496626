import { expect, it } from 'vitest'
import { parseTarget } from '../../src/load/target.ts'

const KEY = 'c2Vj/cmV/0IG9mIHRoZSBhY2NvdW50AAAA=='
const CONNECTION = `AccountEndpoint=https://a.documents.azure.com:443/;AccountKey=${KEY};`
const TARGET = { endpoint: 'https://a.documents.azure.com/', database: 'fleet', container: 'drives' }

it('parseTarget reads an endpoint, a database and a container', () => {
  expect(parseTarget('https://a.documents.azure.com:443/fleet/drives')).toEqual(TARGET)
})

it.each([
  ['from the environment', 'fleet/drives', { COSMOS_CONNECTION_STRING: CONNECTION }],
  ['in --to', `${CONNECTION}/fleet/drives`, {}],
  ['in --to, without its last semicolon', `${CONNECTION.slice(0, -1)}/fleet/drives`, {}]
])('parseTarget reads endpoint and key from a connection string %s', (_, text, env) => {
  expect(parseTarget(text, env)).toEqual({ ...TARGET, key: KEY })
})

it.each([
  [
    'a database and a container without an account',
    'fleet/drives',
    {},
    /--to fleet\/drives does not name the account\. Set the variable COSMOS_CONNECTION_STRING/
  ],
  ['a connection string alone', CONNECTION, {}, /but no database and container.*--to my-database\/my-container/],
  [
    'a connection string alone, without its last semicolon',
    CONNECTION.slice(0, -1),
    {},
    /but no database and container/
  ],
  [
    'a broken connection string',
    'fleet/drives',
    { COSMOS_CONNECTION_STRING: `AccountKey=${KEY}` },
    /^COSMOS_CONNECTION_STRING: .* no AccountEndpoint/
  ],
  [
    'a database without a container',
    'https://a.documents.azure.com/fleet',
    {},
    /--to takes an endpoint, a database and a container/
  ],
  [
    'a container without a database, next to a connection string,',
    'drives',
    { COSMOS_CONNECTION_STRING: `AccountEndpoint=https://a.documents.azure.com/;AccountKey=${KEY}` },
    /--to takes a database and a container of the account in COSMOS_CONNECTION_STRING, such as my-database\/my-container, not "drives"/
  ]
])('parseTarget refuses %s, and shows no key in the error', (_, text, env, message) => {
  expect(() => parseTarget(text, env)).toThrow(message)
  expect(() => parseTarget(text, env)).not.toThrow(/c2Vj/)
})
