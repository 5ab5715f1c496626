import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/read-config.ts'
import { MINIMAL, mistakesOf, readText } from './read-text.ts'

const GIVEN = 'AccountEndpoint=https://my-account.documents.azure.com:443/;AccountKey=b2xk;'
const CONFIG = MINIMAL.replace('endpoint: http://127.0.0.1:8081/', 'connectionString: ${env:COSMOS}')
const EMULATOR_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='

describe('a connection string of Cosmos DB in a configuration', () => {
  it('sets the endpoint and the account key, and the key is never shown', async () => {
    const {
      sinks: [sink],
      warnings
    } = await readText(CONFIG, { env: { COSMOS: GIVEN } })

    expect(sink.cosmos.endpoint).toBe('https://my-account.documents.azure.com:443/')
    expect(sink.cosmos.key?.reveal()).toBe('b2xk')
    expect(warnings).toEqual([])
    expect(inspect(sink, { depth: 9 }) + JSON.stringify(sink)).not.toContain('b2xk')
  })

  it('is read from a file', async () => {
    const config = CONFIG.replace('${env:COSMOS}', '${file:cosmos}')
    const {
      sinks: [sink]
    } = await readText(config, { files: { '/etc/keystamp/cosmos': `${GIVEN}\n` } })

    expect(sink.cosmos.key?.reveal()).toBe('b2xk')
  })

  it('without a key uses Entra', async () => {
    const {
      sinks: [sink]
    } = await readText(CONFIG, { env: { COSMOS: 'AccountEndpoint=https://a/' } })

    expect(sink.cosmos).toMatchObject({ endpoint: 'https://a/', key: undefined })
  })

  it('is read again when it was rotated', async () => {
    let text = GIVEN
    const config = CONFIG.replace('${env:COSMOS}', '${file:cosmos}')
    const {
      sinks: [sink]
    } = await readConfig({ text: config, name: 'sink.yaml' }, { env: {}, readFile: async () => text })
    text = GIVEN.replace('b2xk', 'bmV3')
    await sink.rereadCredentials!()

    expect(sink.cosmos.key?.reveal()).toBe('bmV3')
  })

  it.each([
    ['has no endpoint', 'AccountKey=b2xk;', 'The connection string has no AccountEndpoint.'],
    [
      'has an invalid key',
      'AccountEndpoint=https://a/;AccountKey=b2x',
      'AccountKey in the connection string is not an account key'
    ],
    [
      'is of Event Hubs',
      'Endpoint=sb://a/;SharedAccessKeyName=b;SharedAccessKey=b2xk',
      'This is a connection string of Event Hubs'
    ],
    ['is something else', 'b2xk', 'The connection string has an unknown part.']
  ])('that %s is refused with one sentence that does not contain the secret', async (_what, text, sentence) => {
    const mistakes = await mistakesOf(CONFIG, { env: { COSMOS: text } })

    expect(mistakes).toEqual([expect.stringContaining(`cosmos.connectionString cannot be read: ${sentence}`)])
    expect(mistakes[0]).not.toContain('b2x')
  })

  it.each(['endpoint', 'key'])(
    'as the value of `cosmos.%s` is refused with the advice to use `cosmos.connectionString`',
    async (key) => {
      const config =
        key === 'key' ? `${MINIMAL}  key: \${env:COSMOS}\n` : MINIMAL.replace('http://127.0.0.1:8081/', '${env:COSMOS}')

      expect(await mistakesOf(config, { env: { COSMOS: GIVEN } })).toEqual([
        expect.stringMatching(`cosmos.${key} holds a connection string: write it as cosmos.connectionString$`)
      ])
    }
  )

  it('from an environment variable that is not set causes only one mistake', async () => {
    expect(await mistakesOf(CONFIG)).toEqual([expect.stringMatching(/^6:\d+ cosmos\.connectionString .*COSMOS/)])
  })

  it('replaces the endpoint, which is required otherwise', async () => {
    const neither = MINIMAL.replace('  endpoint: http://127.0.0.1:8081/\n', '')

    expect(await mistakesOf(neither)).toEqual([
      expect.stringMatching(/cosmos\.endpoint is missing: Address of the account/)
    ])
  })

  it.each([
    [
      'causes a warning',
      GIVEN,
      ['cosmos.connectionString is in the file as clear text: write ${env:NAME} or ${file:path} instead.']
    ],
    ['causes no warning if its key is the public key of the emulator', GIVEN.replace('b2xk', EMULATOR_KEY), []]
  ])('in clear text %s', async (_what, text, warnings) => {
    const service = await readText(CONFIG.replace('${env:COSMOS}', `"${text}"`))

    expect(service.warnings).toEqual(warnings)
  })
})
