import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const HIERARCHY = { levels: ['/t', '/day'].map((into) => ({ into, from: [{ field: into }] })) }

describe('the keystamp command', () => {
  const path = useTemporaryFolder()

  test.skipIf(process.platform === 'win32')(
    'writes the output through a link whose target does not exist yet',
    async () => {
      symlinkSync('second.out', path('link.out'))
      symlinkSync(path('real.out'), path('second.out'))

      const { code } = await runCommand(['stamp', '--from', 'a', '-q', '-o', path('link.out')], {
        input: '{"a":"x"}\n'
      })

      expect(code).toBe(0)
      expect(lstatSync(path('link.out')).isSymbolicLink()).toBe(true)
      expect(readFileSync(path('real.out'), 'utf8')).toBe('{"a":"x","partitionKey":"x"}\n')
    }
  )

  test('refuses to write lines of JSON into a file whose name ends in .csv', async () => {
    writeFileSync(path('in.csv'), 'a\nx\n')

    expect(await runCommand(['stamp', '--from', 'a', path('in.csv'), '-o', path('in.csv')])).toMatchObject({
      code: 2,
      stderr: `keystamp: ${path('in.csv')} would hold JSON, not CSV: let the name of the output end in .ndjson.\n`
    })
    expect(readFileSync(path('in.csv'), 'utf8')).toBe('a\nx\n')
  })

  test.skipIf(process.platform === 'win32')('refuses an output through links that lead in a circle', async () => {
    symlinkSync(path('b'), path('a'))
    symlinkSync(path('a'), path('b'))

    expect(await runCommand(['stamp', '--from', 'a', '-o', path('a')], { input: '{"a":"x"}\n' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be written: its links lead in a circle.')
    })
  })

  test('shows the type of each level of a decoded key', async () => {
    writeFileSync(path('plan.json'), JSON.stringify(HIERARCHY))
    const key = async (text: string): Promise<string> =>
      (await runCommand(['locate', '--plan', path('plan.json'), '-q', '--key', text])).stdout.split('\n')[0]

    expect(await key('7')).toBe('/t  "7" (string)')
    expect(await key('[7]')).toBe('/t  7 (number)')
    expect(await key('[true]')).toBe('/t  true (boolean)')
  })

  test('distinguishes a key that is a string of digits from a key that is a number', async () => {
    writeFileSync(path('plan.json'), JSON.stringify({ into: '/t', from: [{ field: '/t' }] }))
    const key = async (parts: string): Promise<string> =>
      (await runCommand(['locate', '--plan', path('plan.json'), '-q', parts])).stdout.split('  ')[0]

    expect(await key('{"t":"7"}')).toBe('"7"')
    expect(await key('{"t":7}')).toBe('7')
    expect(await key('{"t":"x"}')).toBe('x')
  })

  test('reports that a missing field belongs to the id', async () => {
    writeFileSync(
      path('plan.json'),
      JSON.stringify({ into: '/pk', from: [{ field: '/a' }], id: { from: [{ field: '/trip' }] } })
    )

    const { stderr } = await runCommand(['stamp', '--plan', path('plan.json')], { input: '{"a":"x"}\n' })

    expect(stderr).toContain('Line 1, byte 0: A field of the id is missing: /trip.')
  })

  test.each([
    [['stamp', '--form', 'a'], "keystamp: unknown option '--form'\n(Did you mean --from?)"],
    [['stmp'], "keystamp: unknown command 'stmp'\n(Did you mean stamp?)"],
    [['load', '--to'], "keystamp: option '--to <container>' argument missing"],
    [['emulate', '--rangs', '4'], "keystamp: Unknown option '--rangs'. Did you mean --ranges? --help lists all."],
    [['emulate', '--port', '70000'], 'keystamp: --port must be a whole number from 0 to 65535, not 70000.']
  ])('begins every message with the name of the command: %j', async (args, sentence) => {
    const { code, stderr } = await runCommand(args)

    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
    expect(stderr).not.toMatch(/^error:/m)
  })

  test('suggests a field with a similar name when a field is missing, and does not print the value of the field', async () => {
    expect(await stamp('medalion', { medallion: 'secret' })).toBe(
      'keystamp: Line 1, byte 0: A field of the key is missing: /medalion. Did you mean /medallion?\n'
    )
    expect(await stamp('vehicle.vim', { vehicle: { vin: 'secret' } })).toContain(
      'missing: /vehicle/vim. Did you mean /vehicle/vin?'
    )
    expect(await stamp('a', { b: 'secret' })).toContain('missing: /a.\n')
  })

  test('reports line and column at which a plan is not valid JSON', async () => {
    writeFileSync(path('plan.json'), '{\n  "into": "/pk",\n  "from": [{ "field": "/a" }],\n}\n')
    writeFileSync(path('plan.yaml'), 'into: /pk\nfrom:\n  - field: /a\n')
    const stampBy = async (plan: string): Promise<string> => (await runCommand(['stamp', '--plan', path(plan)])).stderr

    expect(await stampBy('plan.json')).toMatch(
      /^keystamp: The plan .*plan\.json is not valid JSON: line 4, column 1: .*\n$/
    )
    expect(await stampBy('plan.yaml')).toMatch(
      /plan\.yaml is not valid JSON: it looks like YAML\. A key plan is JSON, such as \{"into":/
    )
  })

  test('prints that it reads standard input if standard input is a terminal', async () => {
    const args = ['stamp', '--from', 'a']
    const input = '{"a":"x"}\n'

    const hint = 'keystamp: reading standard input; Ctrl-D ends it.\n'
    expect((await runCommand(args, { input, isInputTTY: true })).stderr).toContain(hint)
    expect((await runCommand(args, { input })).stderr).not.toContain(hint)
    expect((await runCommand([...args, '-q'], { input, isInputTTY: true })).stderr).not.toContain(hint)
  })

  test('warns about inputs without a record', async () => {
    writeFileSync(path('in.ndjson'), '\n')

    expect((await runCommand(['stamp', '--from', 'a'])).stderr).toMatch(
      /^keystamp: warning: standard input holds no record\.\n0 records/
    )
    expect((await runCommand(['stamp', '--from', 'a', path('in.ndjson')])).stderr).toContain(
      'in.ndjson holds no record.'
    )
    expect((await runCommand(['stamp', '--from', 'a', '-q'])).stderr).toBe('')
  })

  test.each([
    [[], ['Exit codes:', '3    rejected records']],
    [['load'], ['Environment:', 'COSMOS_KEY', 'COSMOS_CONNECTION_STRING', 'Exit codes:', '10,000']],
    [['stamp'], ['Exit codes:']],
    [['demo'], ['KEYSTAMP_KAFKA', 'at least 10', 'Java']],
    [['emulate'], ['Usage: keystamp emulate [options]', 'Exit codes:']]
  ])('lists exit codes and environment variables in the help of %j', async (command, words) => {
    const { stdout } = await runCommand([...command, '--help'])

    for (const word of words) expect(stdout).toContain(word)
  })

  test.each([
    ['{date:1}', 'The parts of the record must be JSON, with names and strings in double quotes'],
    ['2018-08-09', 'The parts of the record must be JSON: name the field, as in \'{"date":"2018-08-09"}\'.'],
    ['{"dat":"2018-08-09"}', 'is missing: /date. Is /dat, which you gave, misspelled?']
  ])('reports how to write the parts of a record: %s', async (parts, sentence) => {
    const { code, stderr } = await runCommand(['locate', '--from', 'date', '-q', parts])

    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
  })
})

async function stamp(from: string, record: object): Promise<string> {
  return (await runCommand(['stamp', '--from', from], { input: `${JSON.stringify(record)}\n` })).stderr
}
