import { describe, expect, it } from 'vitest'
import { parseConnectionString } from '../../src/index.ts'

const ENDPOINT = 'https://my-account.documents.azure.com:443/'
// base64 can contain the separators of a connection string
const KEY = 'c2Vj/cmV0+IG9m==IHRoZSBhY2NvdW50'.replace('==', 'AA').concat('AA==')

describe('parseConnectionString', () => {
  it.each([
    ['as the portal shows it', `AccountEndpoint=${ENDPOINT};AccountKey=${KEY};`],
    ['without a semicolon at the end', `AccountEndpoint=${ENDPOINT};AccountKey=${KEY}`],
    ['in another order', `AccountKey=${KEY};AccountEndpoint=${ENDPOINT}`],
    ['with spaces and a line break', `  AccountEndpoint = ${ENDPOINT} ; AccountKey = ${KEY} ;\n`],
    ['in quotes', `"AccountEndpoint=${ENDPOINT};AccountKey=${KEY};"`],
    ['with other upper and lower case', `accountendpoint=${ENDPOINT};ACCOUNTKEY=${KEY};`],
    [
      'with the settings of other clients',
      `AccountEndpoint=${ENDPOINT};AccountKey=${KEY};DisableServerCertificateValidation=True;Database=d`
    ]
  ])('reads a connection string %s', (_, text) => {
    expect(parseConnectionString(text)).toEqual({ endpoint: ENDPOINT, key: KEY })
  })

  it('accepts a connection string without a key, as for Entra', () => {
    expect(parseConnectionString(`AccountEndpoint=${ENDPOINT};`)).toEqual({ endpoint: ENDPOINT, key: undefined })
  })

  it.each([
    ['an empty string', '', /is empty/],
    ['a key alone', KEY, /an unknown part/],
    ['a missing endpoint', `AccountKey=${KEY}`, /no AccountEndpoint/],
    ['an endpoint that is not an address', `AccountEndpoint=my-account;AccountKey=${KEY}`, /must be the address/],
    ['an incomplete key', `AccountEndpoint=${ENDPOINT};AccountKey=${KEY.slice(0, -3)}`, /not an account key/],
    ['a key twice', `AccountEndpoint=${ENDPOINT};AccountKey=${KEY};AccountKey=${KEY}`, /AccountKey twice/],
    ['a misspelled name', `AccountEndpiont=${ENDPOINT};AccountKey=${KEY}`, /Did you mean AccountEndpoint\?/],
    ['another service', `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${KEY}`, /of Azure Storage/],
    ['another API', `mongodb://a:${KEY}@a.mongo.cosmos.azure.com:10255/?ssl=true`, /of MongoDB/]
  ])('throws for %s with a message that does not contain the key', (_, text, message) => {
    const refusal = (() => {
      try {
        return parseConnectionString(text)
      } catch (error) {
        return error as Error
      }
    })()

    expect(refusal).toMatchObject({ code: 'OPTION_INVALID', message: expect.stringMatching(message) })
    expect((refusal as Error).message).not.toContain(KEY.slice(0, 8))
  })
})
