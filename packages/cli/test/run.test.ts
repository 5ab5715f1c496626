import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { inOptionNames } from '../src/report-error.ts'
import { runCommand } from './run-command.ts'

describe('keystamp', () => {
  test('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }

    expect(await runCommand(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test.each([
    [['stamp', '--from', 'a', '--max-rejected', 'x'], '--max-rejected must be'],
    [['load', '--from', 'a', '--to', 'http://127.0.0.1:1/d/c', '--share', '0'], '--share must be']
  ])('uses the option names of the command line in messages: %j', async (args, sentence) => {
    const { code, stderr } = await runCommand(args)

    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
    expect(stderr).not.toContain('`')
  })

  test('does not change a name in a message if the command has no option of this name', () => {
    expect(inOptionNames('`maxRejected`, `npm`', ['maxRejected'])).toBe('--max-rejected, `npm`')
  })
})
