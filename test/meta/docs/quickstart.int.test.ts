import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Example, examplesOf, promisedOutput } from './examples-of.ts'
import { runKeystamp, runProgram } from './run-keystamp.ts'

const page = readFileSync(new URL('../../../docs/quickstart.md', import.meta.url), 'utf8')
const examples = examplesOf('docs/quickstart.md', page)

describe('docs/quickstart.md', () => {
  let folder = ''
  let emulator: Emulator
  let env: Record<string, string>

  beforeAll(async () => {
    // inside the repository, so that the program finds the packages
    folder = mkdtempSync(fileURLToPath(new URL('../../.example-', import.meta.url)))
    for (const { note, text } of examples.filter(({ language }) => language === 'json'))
      writeFileSync(join(folder, note), text)
    const [, container] = /^npx keystamp emulate --container (\S+)/m.exec(page) ?? []
    emulator = await startEmulator({ containers: [container], ruPerSecond: 100_000 })
    env = { COSMOS_CONNECTION_STRING: emulator.connectionString }
  })

  afterAll(async () => {
    await emulator.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('shows the output of its command `keystamp locate`', async () => {
    const shown = examples.find(({ language }) => language === 'text')?.text

    expect(await runKeystamp(commandOf('locate'), { folder, env })).toBe(shown)
  })

  it('shows commands that load its file, and a program that reads the records back', async () => {
    await runKeystamp(commandOf('load', /--dry-run/), { folder, env })
    expect(emulator.report().containers[0].items).toBe(0)

    await runKeystamp(commandOf('load', /fleet\/drives$/), { folder, env })
    expect(emulator.report().containers[0].items).toBe(4)

    const program = examples.find(({ language }) => language === 'js') as Example
    writeFileSync(join(folder, 'read.mjs'), program.text)
    expect((await runProgram('read.mjs', { folder, env })).trim().split('\n')).toEqual(promisedOutput(program.text))
  })
})

function commandOf(name: string, like = /./): string {
  const lines = examples.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trim().split('\n'))
  const line = lines.find((each) => each.startsWith(`npx keystamp ${name} `) && like.test(each))
  if (line === undefined) throw new Error(`docs/quickstart.md shows no command "${name}" that matches ${like}.`)
  return line
}
