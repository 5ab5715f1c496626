import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { runCommand } from './run-command.ts'
import { useTemporaryFolder } from './temporary-folder.ts'

const TO = ['--to', 'http://127.0.0.1:1/d/c']

describe('a command line', () => {
  const path = useTemporaryFolder()

  test.each([
    [
      ['stamp', '--plan', ''],
      '--plan has an empty value, perhaps because a variable is not set. Name a value, or leave --plan out.'
    ],
    [['stamp', '--from', 'a', '-o', ''], '--output has an empty value, perhaps because a variable is not set.'],
    [
      ['stamp', '--from', 'a', ''],
      'The name of a file is empty, perhaps because a variable is not set. Name a file, or leave the empty name out.'
    ],
    [['load', ...TO, '--checkpoint', ''], '--checkpoint has an empty value'],
    [
      ['load', ...TO, '--checkpoint', '--from', 'a'],
      '--checkpoint needs a value, and --from follows it. Write the value after --checkpoint.'
    ],
    [['sink', '--config', ''], '--config has an empty value'],
    [['stamp', '--from', 'a', '--from', 'b'], '--from is given twice. Give it once, with commas between the fields.'],
    [['stamp', '-p', 'a.json', '--plan', 'b.json'], '--plan is given twice. Give it once.'],
    [
      ['stamp', '--from', 'a', '--max-record-bytes', '99999999999'],
      '--max-record-bytes takes a whole number up to 999,999,999, not "99999999999".'
    ],
    [
      ['load', ...TO, '--share', '101%'],
      '--share must be a number of RU/s above 0, or a percentage above 0% and up to 100% such as 50%, not "101%".'
    ],
    [
      ['load', ...TO, '--share', '0%'],
      '--share must be a number of RU/s above 0, or a percentage above 0% and up to 100% such as 50%, not "0%".'
    ],
    [
      ['load', ...TO, '--share', '0'],
      '--share must be a number of RU/s above 0, or a percentage above 0% and up to 100% such as 50%, not "0".'
    ],
    [['load', ...TO, '--dry'], "unknown option '--dry'\n(Did you mean --dry-run?)"],
    [['stamp', '--quiet=yes'], "unknown option '--quiet=yes'\n(--quiet takes no value.)"],
    [['stamp', '-q=1'], "unknown option '-=1'\n(A short option takes its value after a space, as in -p plan.json.)"],
    [['--from', 'a'], "unknown option '--from'\n(Name the command first, as in keystamp stamp --from.)"],
    [['help', 'stmp'], "unknown command 'stmp'\n(Did you mean stamp?)"],
    [['stmp', '--help'], "unknown command 'stmp'\n(Did you mean stamp?)"],
    [['sink', '--config', 'nope.yaml'], 'The configuration nope.yaml cannot be read: there is no such file or folder.'],
    [
      ['emulate', '--host', ''],
      '--host has an empty value, perhaps because a variable is not set. Name a value, or leave --host out.'
    ],
    [['emulate', '--port', '-1'], '--port needs a value, but the next word begins with a dash.'],
    [['emulate', '--port'], '--port needs a value. --help lists all.'],
    [['emulate', '--port', '1', '--port', '0'], '--port is given twice. Give it once.'],
    [['emulate', '--key', 'x'], '--key must be an account key, which is base64.'],
    [['emulate', '--options', '{"host":""}'], "--host must be an address such as '127.0.0.1', not empty."]
  ])('is refused with a remedy: %j', async (args, sentence) => {
    const { code, stdout, stderr } = await runCommand(args)

    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`keystamp: ${sentence}`)
    })
  })

  test('is refused with the name of a file that --from-connect cannot translate', async () => {
    writeFileSync(path('empty.json'), '')

    expect(await runCommand(['sink', '--from-connect', path('empty.json')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`keystamp: ${path('empty.json')}: `)
    })
  })

  test.each(['stamp', 'load', 'locate', 'capacity', 'sink', 'demo'])(
    'with %s --help prints at most 80 columns, except for examples',
    async (command) => {
      const { code, stdout } = await runCommand([command, '--help'])

      expect(code).toBe(0)
      expect(stdout.split('\n').filter((line) => [...line].length > 80 && !/^ {2}\$ /.test(line))).toEqual([])
    }
  )

  test('may contain an empty key for keystamp locate', async () => {
    expect(await runCommand(['locate', '--from', 'a', '--key', ''])).toMatchObject({ code: 0 })
  })
})
