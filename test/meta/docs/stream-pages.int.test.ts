import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { CosmosClient } from '@azure/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examplesOf, promisedOutput } from './examples-of.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const examples = examplesOf(
  'docs/streams.md',
  readFileSync(new URL('../../../docs/streams.md', import.meta.url), 'utf8')
)
const scripts = examples.filter(({ language }) => language === 'js' || language === 'ts')

describe('the examples of docs/streams.md', () => {
  let folder = ''
  let emulator: Emulator

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keystamp-'))
    writeFiles((name, content) => writeFileSync(join(folder, name), content))
    emulator = await startEmulator()
    const client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key })
    const { database } = await client.databases.createIfNotExists({ id: 'fleet' })
    await database.containers.create({ id: 'readings', partitionKey: { paths: ['/partitionKey'] } })
    client.dispose()
  })

  afterAll(async () => {
    await emulator.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('are found by this test', () => {
    expect(scripts.length).toBeGreaterThan(10)
  })

  it('print the output that the page shows', async () => {
    const printed = await runAll(scripts.map(({ text }) => text))

    const outcome = scripts.map(({ line }, index) => ({ line, ...printed[index] }))
    expect(outcome).toEqual(scripts.map(({ line, text }) => ({ line, lines: promisedOutput(text), error: '' })))
  }, 60_000)

  async function runAll(
    texts: readonly string[]
  ): Promise<readonly { readonly lines: readonly string[]; readonly error: string }[]> {
    // the programs are inside the repository, so that Node finds the packages; the files that they read are in `folder`
    const programs = mkdtempSync(join(HERE, '../..', '.example-'))
    try {
      const files = texts.map((text, index) => {
        const file = join(programs, `example-${index}.mjs`)
        writeFileSync(file, text)
        return file
      })
      const command = [
        '--conditions=@keystamp/source',
        '--import',
        import.meta.resolve('tsx'),
        join(HERE, 'print-examples.mjs'),
        ...files
      ]
      const env = { ...process.env, COSMOS_ENDPOINT: emulator.endpoint, COSMOS_KEY: emulator.key }
      const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: folder, env })
      return JSON.parse(stdout) as { lines: string[]; error: string }[]
    } finally {
      rmSync(programs, { recursive: true, force: true })
    }
  }
})

function writeFiles(write: (name: string, content: string | Uint8Array) => void): void {
  const lines = [1, 2, 3]
    .map((each) => `${JSON.stringify({ id: `r${each}`, deviceId: `abc-${each}`, date: 2018 })}\n`)
    .join('')
  write('in.ndjson', lines)
  write('in.ndjson.gz', gzipSync(lines))
  write('dirty.ndjson', '{"deviceId":"a"}\n{"deviceId":\n{"deviceId":"b"}\n')
  write('response.json', '{"next":null,"data":{"items":[{"id":"a","n":12345678901234567890},{"id":"b"}]}}')
}
