import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/read-config.ts'
import { ConfigError } from '../../src/config/describe-issue.ts'

const MINIMAL = `name: drives
kafka: { brokers: [b:9092], topics: [drives] }
cosmos: { endpoint: 'https://a.example/', key: '\${env:KEY}', database: d, container: drives }
`

async function mistakesOf(shape: string): Promise<string> {
  try {
    await readConfig({ text: `${MINIMAL}shape: ${shape}\n`, name: 'sink.yaml' }, { env: { KEY: 'a2V5' }, readFile })
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

async function readFile(): Promise<string> {
  throw new Error('no file')
}

describe('a step of a shape with a mistake', () => {
  test.each([
    ['[{}]', 'must have one of exclude, include, rename'],
    ['[{ hoist: a, extract: /b }]', 'must have one of exclude, include, rename'],
    ['[{ exclude: [a] }]', 'must be a JSON pointer'],
    ['[{ rename: {} }]', 'must not be empty'],
    ['[{ renames: { /a: /b } }]', 'did you mean "rename"?'],
    ['[{ cast: { /a: int } }]', 'int8'],
    ['[{ insert: { /a: x } }]', 'must be { literal: ... } or { kafka: topic }'],
    ['[{ mask: { fields: [/a], hash: sha256, replacement: x } }]', 'must not have replacement and hash'],
    ['[{ mask: { fields: [/a], secret: x } }]', 'must be given together with hash'],
    ['[{ timestamp: { fields: [/a], to: { pattern: EEE } } }]', 'EEE'],
    ['[{ timestamp: { fields: [/a], from: { pattern: "yyyy yyyy" }, to: iso } }]', 'has a part that is not read'],
    ['[{ filter: {} }]', 'must have one of topic, header, tombstone and field'],
    ['[{ filter: { topic: "(" } }]', 'must be a regular expression'],
    ['[{ filter: { header: a, in: [1] } }]', 'must be given together with field'],
    ['[{ key: [/a], of: key }]', 'must not be given for key and filter']
  ])('%s is reported at its place: %s', async (shape, reason) => {
    const message = await mistakesOf(shape)

    expect(message).toContain(reason)
    expect(message).toMatch(/sink\.yaml:4:\d+/)
  })

  test('does not show the secret of a hash', async () => {
    expect(await mistakesOf('[{ mask: { fields: [a], hash: sha256, secret: c2VjcmV0 } }]')).not.toContain('c2VjcmV0')
  })
})
