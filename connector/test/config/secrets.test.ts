import { basename } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it, test } from 'vitest'
import { readConfig } from '../../src/config/read-config.ts'
import { MINIMAL, mistakesOf, readText } from './read-text.ts'

describe('a secret', () => {
  const CANARY = 'c2VjcmV0IGNhbmFyeQ=='
  const text = MINIMAL.replace('database', `key: \${env:COSMOS}\n  database`)
    .replace('topics', 'sasl: { mechanism: plain, username: me, password: "${env:KAFKA}" }\n  topics')
    .concat('registry: { url: "http://localhost:8081", username: me, password: "${file:registry}" }\nvalue: registry\n')
    .replace('container: drives', 'container: drives\n  sharedThrough: { redis: "${env:REDIS}" }')
  const world = {
    env: { COSMOS: CANARY, KAFKA: CANARY, REDIS: `redis://:${CANARY}@localhost:6379` },
    files: { '/etc/keystamp/registry': `${CANARY}\n` }
  }

  test('is returned only by `reveal`', async () => {
    const { sinks } = await readText(text, world)
    const { cosmos, kafka, registry } = sinks[0]

    expect(cosmos.key?.reveal()).toBe(CANARY)
    expect(kafka.sasl?.mechanism === 'plain' && kafka.sasl.password.reveal()).toBe(CANARY)
    expect(registry?.password?.reveal()).toBe(CANARY)
    expect(cosmos.sharedThrough).toMatchObject({ redis: world.env.REDIS, name: '127.0.0.1:8081/fleet' })
  })

  test('is not shown by JSON.stringify, util.inspect or String', async () => {
    const settings = await readText(text, world)

    for (const shown of [
      JSON.stringify(settings),
      inspect(settings, { depth: 20, showHidden: true }),
      String(settings.sinks[0].cosmos.key)
    ]) {
      expect(shown).not.toContain(CANARY)
    }
  })

  test('is not shown by messages about invalid values, whichever key has the secret as its value', async () => {
    const places = [
      'name',
      'key',
      'value',
      'stallTimeout',
      'maxInFlightBytes',
      'acceptPlanChange',
      'plan',
      'id',
      'registry',
      'write'
    ]
    const more = places.map((key) => `${key}: \${env:COSMOS}`).join('\n')
    const wrong = `${more}\n${MINIMAL.replace('name: drives\n', '')}rejects: { policy: "\${env:COSMOS}", tolerance: { percent: "\${env:COSMOS}" } }\n`

    const mistakes = await mistakesOf(wrong, {
      env: { ...world.env, KEYSTAMP_SINK_COMMIT_EVERY: CANARY, KEYSTAMP_SINK_KAFKA_FROM: CANARY }
    })

    expect(mistakes.length).toBeGreaterThan(9)
    expect(mistakes.join('\n')).not.toContain(CANARY)
  })

  test('is not shown by the error for a file that is not YAML', async () => {
    expect((await mistakesOf(`cosmos:\n  key: "${CANARY}\n  database: @${CANARY}`)).join('\n')).not.toContain(CANARY)
  })

  test('in clear text is accepted, with a warning', async () => {
    const { warnings } = await readText(MINIMAL.replace('database', `key: ${CANARY}\n  database`))

    expect(warnings).toEqual(['cosmos.key is in the file as clear text: write ${env:NAME} or ${file:path} instead.'])
    expect(
      (await readText(MINIMAL.replace('database', `key: "\${env:COSMOS:-${CANARY}}"\n  database`))).warnings
    ).toEqual(warnings)
    expect((await readText(MINIMAL.replace('database', `key: "\${env:COSMOS}"\n  database`), world)).warnings).toEqual(
      []
    )
  })

  test('in clear text causes no warning if it is public: the key of the emulators, an address of Redis without a password', async () => {
    const key = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='
    const known = MINIMAL.replace(
      'database',
      `key: ${key}\n  sharedThrough: { redis: "redis://localhost:6379" }\n  database`
    )

    expect((await readText(known)).warnings).toEqual([])
    expect((await readText(known.replace('redis://', 'redis://:hush@'))).warnings).toHaveLength(1)
  })
})

const CONFIG = `
kafka:
  brokers: ["a:1"]
  topics: [t]
  tls: { ca: "\${file:ca.pem}" }
  sasl: { mechanism: plain, username: u, password: "\${file:password}" }
cosmos: { endpoint: "https://a/", database: d, container: c, key: "\${file:key}" }
name: drives
`

it('rereadCredentials puts rotated secrets and certificates into the settings that are in use', async () => {
  const files = new Map([
    ['key', 'b2xk'],
    ['password', 'old'],
    ['ca.pem', '-----BEGIN OLD']
  ])
  const readFile = async (path: string): Promise<string> => files.get(basename(path))!
  const {
    sinks: [sink]
  } = await readConfig({ text: CONFIG, name: 'sink.yaml' }, { env: {}, readFile })
  const password = sink.kafka.sasl?.mechanism === 'plain' ? sink.kafka.sasl.password : undefined

  expect(await sink.rereadCredentials!()).toBe(false)
  files.set('key', 'bmV3').set('password', 'new\n').set('ca.pem', '-----BEGIN NEW')
  expect(await sink.rereadCredentials!()).toBe(true)
  expect(await sink.rereadCredentials!()).toBe(false)

  expect(sink.cosmos.key?.reveal()).toBe('bmV3')
  expect(password?.reveal()).toBe('new')
  expect(sink.kafka.tls).toMatchObject({ ca: '-----BEGIN NEW' })
})

it('rereadCredentials leaves the secret of a mask until the next start, since keys can be made of it', async () => {
  const files: Record<string, string> = { '/etc/keystamp/mask': 'first' }
  const shape = 'shape: [{ mask: { fields: [/a], hash: sha256, secret: "${file:mask}" } }]\n'
  const { sinks } = await readText(MINIMAL + shape, { files })
  const [mask] = sinks[0].shape!
  files['/etc/keystamp/mask'] = 'second'

  expect(await sinks[0].rereadCredentials?.()).toBe(false)
  expect(mask.kind === 'mask' && mask.secret?.reveal()).toBe('first')
})

it('rereadCredentials throws, and keeps the former secrets, if a file cannot be read any more', async () => {
  let isGone = false
  const readFile = async (): Promise<string> => {
    if (isGone) throw new Error('there is no such file')
    return 'b2xk'
  }
  const text = CONFIG.replace('  tls: { ca: "${file:ca.pem}" }\n', '')
  const {
    sinks: [sink]
  } = await readConfig({ text, name: 'sink.yaml' }, { env: {}, readFile })
  isGone = true

  await expect(sink.rereadCredentials!()).rejects.toThrow('there is no such file')
  expect(sink.cosmos.key?.reveal()).toBe('b2xk')
})
