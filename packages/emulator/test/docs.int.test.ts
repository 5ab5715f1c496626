import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect, promisify } from 'node:util'
import { startEmulator } from '@keystamp/emulator'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../src/command.ts'

const page = readFileSync(fileURLToPath(new URL('../../../docs/emulator.md', import.meta.url)), 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1])
const programs = blocks('ts')
const commands = blocks('sh').flatMap((block) => block.trim().split('\n'))
const scratch = programs.map((_, index) => fileURLToPath(new URL(`./docs-example-${index}.tmp.ts`, import.meta.url)))
afterAll(() => Promise.all(scratch.map((file) => rm(file, { force: true }))))

describe('docs/emulator.md', () => {
  it('contains the examples that this test executes', () => {
    expect(programs.length).toBeGreaterThanOrEqual(5)
    expect(commands.length).toBeGreaterThanOrEqual(8)
  })

  it.each(programs.map((program, index) => [index + 1, program] as const))(
    'shows the output of program %i in the comments of the program',
    async (number, program) => {
      const printed: string[] = []
      const spy = vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
        printed.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '))
      })
      const file = scratch[number - 1]
      await writeFile(file, program)
      try {
        await import(/* @vite-ignore */ file)
      } finally {
        spy.mockRestore()
      }

      const promised = [...program.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map((match) => match[1])
      expect(promised.length).toBeGreaterThan(0)
      expect(printed).toEqual(promised)
    }
  )

  it.each(commands.filter((line) => line.startsWith('npx @keystamp/emulator')))(
    'contains a command that starts an emulator: %s',
    async (line) => {
      const args = line.split(' ').slice(2)
      const complained: string[] = []
      const surroundings = {
        print: () => {},
        printError: (text: string) => complained.push(text),
        log: () => {},
        commandName: 'emulator',
        waitForShutdown: () => Promise.resolve()
      }
      // the files of the examples must not stay in the repository
      const folder = await mkdtemp(join(tmpdir(), 'keystamp-docs-'))
      const replaced: Readonly<Record<string, string>> = {
        '8081': '0',
        'emulator.pem': join(folder, 'emulator.pem'),
        './cosmos-data': join(folder, 'cosmos-data')
      }
      const code = await runCommand(
        args.map((arg) => replaced[arg] ?? arg),
        surroundings
      )
      await rm(folder, { recursive: true })

      expect([code, complained]).toEqual([0, []])
    }
  )

  it.each(commands.filter((line) => line.startsWith('curl')))(
    'contains a command that an emulator answers: %s',
    async (line) => {
      const emulator = await startEmulator()
      const command = line
        .replace('curl -s', 'curl -s -o /dev/null -w %{http_code}')
        .replace('http://127.0.0.1:8081/', emulator.endpoint)
      const { stdout } = await promisify(execFile)('sh', ['-c', command])
      await emulator.stop()

      expect(stdout).toMatch(/^20\d$/)
    }
  )

  it('lists every option', () => {
    const settings = readFileSync(fileURLToPath(new URL('../src/settings.ts', import.meta.url)), 'utf8')
    const options = [...settings.slice(0, settings.indexOf('/** The five')).matchAll(/^ {2}readonly (\w+)\?:/gm)].map(
      (match) => match[1]
    )

    expect(options.length).toBeGreaterThan(15)
    for (const option of options) expect(page).toMatch(new RegExp(`^\\|.*\`${option}\``, 'm'))
  })

  it('names every kind of fault and every throttle option', () => {
    const kinds = [
      ...readFileSync(fileURLToPath(new URL('../src/fault/fault-rule.ts', import.meta.url)), 'utf8').matchAll(
        /kind: '(\w+)'/g
      )
    ]
    const throttle = readFileSync(fileURLToPath(new URL('../src/charge/throttle-options.ts', import.meta.url)), 'utf8')
    const names = [...throttle.matchAll(/^ {2}readonly (\w+)\?:/gm)]

    expect([kinds.length, names.length]).toEqual([10, 9])
    for (const [, name] of [...kinds, ...names]) expect(page).toContain(`\`${name}\``)
  })
})
