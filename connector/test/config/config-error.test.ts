import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isKeystampError } from '@keystamp/core'
import { ConfigError, type ConfigMistake } from '../../src/config/describe-issue.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { MINIMAL, mistakesOf, readText } from './read-text.ts'

describe('a configuration', () => {
  test('is refused with one error that lists every mistake with line, column and the nearest known key', async () => {
    const text = `name: drives
kafka:
  broker: [localhost:9092]
  topics: drives
  sessionTimeout: 30000
  sasl: { mechanism: plane }
cosmos:
  endpoint: my-account
  database: fleet
  container: drives
  requestTimeout: 50s
rejects: { policy: copy }
key: yaml
value: { format: avro }
registry:
plan: { into: /key, form: [{ field: /a }] }
strategy: overwrite
`
    expect(await mistakesOf(text)).toEqual([
      '2:1 kafka.brokers is missing: Bootstrap servers',
      '3:3 kafka.broker is not known; did you mean "brokers"?',
      '4:11 kafka.topics must be a list, not a string',
      '5:19 kafka.sessionTimeout must be a duration with its unit, such as 250ms, 30s or 5m, not a number',
      '6:22 kafka.sasl.mechanism must be plain, scram-sha-256, scram-sha-512 or oauthbearer, not "plane"',
      '8:13 cosmos.endpoint must be the address of an account, such as https://my-account.documents.azure.com/',
      '12:12 rejects.policy can be "copy" only if rejects.topic or rejects.file is given',
      '13:6 key must be json, json-envelope, text, bytes, registry, or { format: avro, schema: ... }',
      '14:1 value.schema is missing: Avro schema, inline or as the path of a file',
      '15:10 registry must be a mapping, not nothing',
      '16:1 plan.from must be a list, not missing',
      '16:27 plan.form is not known; did you mean "from"?',
      '17:1 strategy is not known here; known are name, kafka, key, value, registry, numbers, cosmos, shape, plan, move, id, write, rejects, commit, acceptPlanChange, allowDuplicatesOnReplay, maxInFlightBytes, stallTimeout, shutdownTimeout, authGracePeriod, onSinkFailure, http, log'
    ])
  })

  test.each([
    ['a: [1\nb: 2', '2:1 this line is not indented like those it belongs to'],
    ['a: 1\na: 2', '2:1 this key appears twice'],
    ['a:\n\tb: 1', '2:1 indent with spaces, not with tabs'],
    ['a: 1\n---\nb: 2', '2:1 the file contains a second document: write several sinks as a list under `sinks`'],
    ['a: *nowhere', '1:1 an alias names an anchor that is not defined before it, or is used too often'],
    ['- a', '1:1 must be a mapping, such as name: drives'],
    ['just text', '1:1 must be a mapping, such as name: drives'],
    ['', '1:1 name is missing: Name of the sink in metrics, logs and the consumer group']
  ])('with the text %j is refused: %s', async (text, sentence) => {
    expect((await mistakesOf(text))[0]).toBe(sentence)
  })

  test.each([
    ['database: 2018', '7:13 cosmos.database must be a string, not a number: put it in quotes'],
    ['database: true', '7:13 cosmos.database must be a string, not a boolean: put it in quotes'],
    ['database: [a]', '7:13 cosmos.database must be a string, not a list']
  ])('with %j is refused: %s', async (line, sentence) => {
    expect(await mistakesOf(MINIMAL.replace('database: fleet', line))).toEqual([sentence])
  })

  test.each(['2026-11-01T00:00:00', 'yesterday', '2026-13-01T00:00:00Z'])(
    'that begins at %s is refused',
    async (from) => {
      expect(await mistakesOf(MINIMAL.replace('  topics:', `  from: ${from}\n  topics:`))).toEqual([
        '4:9 kafka.from must be earliest, latest, or a time with its offset from UTC, such as 2026-11-01T00:00:00Z'
      ])
    }
  )

  test('is refused with its file name and the reason if the file does not exist', async () => {
    await expect(readConfig('nowhere.yaml', { env: {}, readFile: findNothing })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'nowhere.yaml has a mistake:\n  nowhere.yaml cannot be read: there is no such file'
    })
  })

  test('with random keys and values is accepted, or is refused with the position of each mistake', async () => {
    const keys = [
      'name',
      'kafka',
      'brokers',
      'topics',
      'cosmos',
      'container',
      'plan',
      'sasl',
      'mechanism',
      'sinks',
      'id',
      'strategy',
      'write',
      'ttl',
      '__proto__',
      'x'
    ]
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 5, 'drives', '30s', '${env:X}', '${file:y}', 'template', 'plain', ''),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 5 })
      )
    })).value

    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const mistakes = await mistakesIn(JSON.stringify(value))
        expect(mistakes.every(({ position, variable }) => position !== undefined || variable !== undefined)).toBe(true)
        expect(mistakes.map(({ message }) => message).join('\n')).not.toMatch(/invalid input|undefined|\[object/i)
      }),
      { numRuns: 200 }
    )
  })
})

async function mistakesIn(text: string): Promise<readonly ConfigMistake[]> {
  try {
    await readText(text)
    return []
  } catch (error) {
    if (isKeystampError(error) && error instanceof ConfigError) return error.mistakes
    throw error
  }
}

function findNothing(): Promise<string> {
  return Promise.reject(new Error('there is no such file'))
}
