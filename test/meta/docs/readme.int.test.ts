import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@keystamp/connector'
import { startEmulator } from '@keystamp/emulator'
import { expect, it } from 'vitest'
import { examplesOf } from './examples-of.ts'
import { runKeystamp } from './run-keystamp.ts'

const page = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
const examples = examplesOf('README.md', page)
const lines = examples.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trim().split('\n'))
const configuration = examples.find(({ language }) => language === 'yaml')?.text ?? ''

it('README.md shows commands that load a file into a local Cosmos DB', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-'))
  const container = /--container (\S+)/.exec(lineOf('emulate'))?.[1] ?? ''
  const emulator = await startEmulator({ auth: 'off', containers: [container], ruPerSecond: 100_000 })
  try {
    writeFileSync(
      join(folder, 'drives.ndjson'),
      '{"deviceId":"abc-123","date":2018}\n{"deviceId":"abc-124","date":2018}\n'
    )
    await runKeystamp(lineOf('load').replace('http://127.0.0.1:8081/', emulator.endpoint), { folder })

    expect(emulator.report().containers[0].items).toBe(2)
  } finally {
    await emulator.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

it('README.md contains a valid configuration of a sink', async () => {
  const { sinks } = await readConfig(
    { text: configuration, name: 'sink.yaml' },
    { env: { COSMOS_KEY: 'a2V5' }, readFile: () => Promise.reject(new Error('The configuration names no file.')) }
  )

  expect(sinks.map(({ name }) => name)).toEqual(['drives'])
  expect(lineOf('sink')).toBe('npx keystamp sink --check --config sink.yaml')
})

it('README.md contains only shell commands that these tests cover', () => {
  const known = /^npm install |^npx keystamp (?:emulate|load|sink) |^npx keystamp rekey .* --dry-run$/

  expect(lines.filter((line) => !known.test(line))).toEqual([])
})

it('README.md contains in its table only measurements from the last run in bench/README.md', () => {
  const benches = readFileSync(new URL('../../../bench/README.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| [^|]+ \| ([^|]+) \| ([^|]+) \| `npm run bench/gm)]
  const numbers = rows.flatMap(
    ([, byHand, keystamp]) => `${byHand} ${keystamp}`.match(/\d[\d.,]* ?(?:MB\/s|us|ms|records\/s|%| of 4)/g) ?? []
  )

  expect(numbers.length).toBeGreaterThan(12)
  expect(numbers.filter((number) => !benches.includes(number))).toEqual([])
})

function lineOf(command: string): string {
  const line = lines.find((each) => each.startsWith(`npx keystamp ${command} `)) ?? ''
  return line.replace(/\s+# .*$/, '')
}
