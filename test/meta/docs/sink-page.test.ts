import { readFileSync } from 'node:fs'
import { readFile as readFileAsText } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type ConfigError, readConfig } from '@keystamp/connector'
import { expect, test } from 'vitest'
import { type Example, examplesOf } from './examples-of.ts'

const page = readFileSync(new URL('../../../docs/sink.md', import.meta.url), 'utf8')
const examples = examplesOf('docs/sink.md', page).filter(({ language }) => language === 'yaml')

const REST: Readonly<Record<string, string>> = {
  name: 'name: example',
  kafka: 'kafka: { brokers: ["localhost:9092"], topics: [example] }',
  cosmos: 'cosmos: { endpoint: "http://127.0.0.1:8081/", database: fleet, container: example }'
}
const FILES: Readonly<Record<string, string>> = { 'drives.json': '{ "into": "/pk", "from": [{ "field": "/a" }] }' }
const env = { COSMOS_KEY: 'a2V5', REGISTRY_PASSWORD: 'p', EVENT_HUBS_CONNECTION: 'c' }

test('docs/sink.md shows more than six configurations', () => {
  expect(examples.length).toBeGreaterThan(6)
})

test.each(examples.map((example) => [`${example.page}:${example.line}`, example] as const))(
  '%s is a valid configuration',
  async (_place, example) => {
    expect(await mistakesOf(complete(example))).toEqual([])
  }
)

test.each(['docker/sink/sink.yaml', 'examples/sink-service/sink.yaml', 'examples/data-platform/sink.yaml'])(
  '%s is a valid configuration',
  async (path) => {
    const read = readConfig(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), {
      env: {},
      readFile: (file) => readFileAsText(file, 'utf8')
    })

    expect((await read).sinks.length).toBeGreaterThan(0)
  }
)

/** Completes the example of a page: adds the required keys that the example leaves out. */
function complete({ text }: Example): string {
  if (/^sinks:/m.test(text)) return text
  return [
    text,
    ...Object.entries(REST).flatMap(([key, line]) => (new RegExp(`^${key}:`, 'm').test(text) ? [] : [line]))
  ].join('\n')
}

async function mistakesOf(text: string): Promise<readonly string[]> {
  try {
    await readConfig({ text, name: 'sink.yaml' }, { env, readFile })
    return []
  } catch (error) {
    return (error as ConfigError).message.split('\n')
  }
}

async function readFile(path: string): Promise<string> {
  const found = Object.entries(FILES).find(([name]) => path.endsWith(name))?.[1]
  if (found === undefined) throw new Error('there is no such file')
  return found
}
