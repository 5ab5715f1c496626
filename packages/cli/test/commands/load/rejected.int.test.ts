import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../../files/test/inputs/lines-of.ts'
import { useTargets } from '../../load/start-target.ts'
import { runCommand } from '../../run-command.ts'
import { useTemporaryFolder } from '../../temporary-folder.ts'

describe('keystamp load with rejected records', () => {
  const start = useTargets()
  const path = useTemporaryFolder()

  it('collects rejected records with position and reason in a file that other users cannot read', async () => {
    const { to, documents } = await start()
    const input = `{"id":"a","deviceId":"x"}\nnonsense\n{"id":"b"}\n{"id":7,"deviceId":"x"}\n{"id":"c","deviceId":"x","t":"${'y'.repeat(2 ** 21)}"}\n`

    const { code, stderr } = await runCommand(
      ['load', '--from', 'deviceId', '--to', to, '--on-error', `collect:${path('bad.ndjson')}`],
      {
        input
      }
    )

    expect(code).toBe(0)
    expect(stderr).toMatch(/1 record written, 4 rejected/)
    expect(statSync(path('bad.ndjson')).mode & 0o777).toBe(0o600)
    const bad = parseLines(path('bad.ndjson')).toSorted((a, b) => Number(a['line']) - Number(b['line']))
    expect(bad.map(({ line, code: reason, input: name }) => [name, line, reason])).toEqual([
      ['-', 2, 'JSON_INVALID'],
      ['-', 3, 'FIELD_MISSING'],
      ['-', 4, 'ID_NOT_TEXT'],
      ['-', 5, 'DOCUMENT_TOO_LARGE']
    ])
    expect(bad[0]).toMatchObject({ record: 'nonsense', message: expect.stringContaining('JSON') })
    expect(await documents()).toHaveLength(1)
  })

  it('suggests a field with a similar name for a missing field, and warns about an input without a record', async () => {
    const { to } = await start()

    expect(await runCommand(['load', '--from', 'deviceid', '--to', to], { input: linesOf(1) })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('missing: /deviceid. Did you mean /deviceId?')
    })
    expect(await runCommand(['load', '--from', 'deviceId', '--to', to])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^keystamp: warning: standard input holds no record\.\n0 records written/)
    })
  })

  it('warns that nothing was written if every record was skipped, with the first reason', async () => {
    const { to } = await start()
    const input = linesOf(3)

    const { code, stderr } = await runCommand(['load', '--from', 'deviceid', '--to', to, '--on-error', 'skip'], {
      input
    })

    expect(code).toBe(0)
    expect(stderr).toContain('FIELD_MISSING: 3\n  The first: Standard input, line 1: A field')
    expect(stderr).toMatch(
      /Did you mean \/deviceId\?\nkeystamp: warning: nothing was written: every record was rejected\.\n$/
    )
  })

  it('prints only the error if the input has the wrong format, and no summary', async () => {
    const { to } = await start()

    const { code, stderr } = await runCommand(['load', '--from', 'a', '--to', to, '--csv'], { input: '{"id":"1"}\n' })

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^keystamp: [^\n]*is JSON, not CSV[^\n]*\n$/)
    })
  })

  it('suggests --plan and --from if a load without a plan has a record without the key of the container', async () => {
    const { to } = await start()

    expect(await runCommand(['load', '--to', to], { input: linesOf(1) })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/missing: \/partitionKey\. Without a plan, .* Set --plan or --from /)
    })
  })

  it('suggests a column with a dot in its name for a missing field inside an object', async () => {
    const { to } = await start()
    const command = ['load', '--from', 'vehicle.vin', '--to', to, '--csv']

    expect(await runCommand(command, { input: 'id,vehicle.vin\n1,x\n' })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('missing: /vehicle/vin. Did you mean /vehicle.vin?')
    })
  })

  it('leaves no file of rejected records and no checkpoint when it fails before its first record, so that the command can be repeated', async () => {
    const { to, documents } = await start()
    writeFileSync(path('in.txt'), 'id,deviceId\n1,a\n2,\n')
    const commandTo = (target: string) => [
      'load',
      '--from',
      'deviceId',
      '--to',
      target,
      '--on-error',
      `collect:${path('bad.ndjson')}`
    ]

    expect(await runCommand([...commandTo(`${to}-misspelt`), path('in.txt')])).toMatchObject({ code: 2 })
    expect(await runCommand([...commandTo(to), path('in.txt')])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--csv')
    })
    expect([existsSync(path('bad.ndjson')), existsSync(path('in.txt.checkpoint'))]).toEqual([false, false])

    expect(await runCommand([...commandTo(to), '--csv', path('in.txt')])).toMatchObject({ code: 0 })
    expect(parseLines(path('bad.ndjson'))).toMatchObject([{ line: 3, code: 'FIELD_MISSING' }])
    expect(await documents()).toHaveLength(1)
  })

  it('leaves no file of rejected records when no record was rejected', async () => {
    const { to } = await start()
    const command = ['load', '--from', 'deviceId', '--to', to, '--on-error', `collect:${path('bad.ndjson')}`]

    expect(await runCommand(command, { input: linesOf(3) })).toMatchObject({ code: 0 })

    expect(existsSync(path('bad.ndjson'))).toBe(false)
  })

  it('sends no record if the file of rejected records cannot be written', async () => {
    const { to, documents } = await start()
    const command = [
      'load',
      '--from',
      'deviceId',
      '--to',
      to,
      '--on-error',
      `collect:${path('no-such-folder/bad.ndjson')}`
    ]

    expect(await runCommand(command, { input: linesOf(3) })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('bad.ndjson')
    })

    expect(await documents()).toEqual([])
  })

  it('does not overwrite a file of rejected records', async () => {
    const { to } = await start()
    writeFileSync(path('bad.ndjson'), 'mine')

    const { code, stderr } = await runCommand([
      'load',
      '--from',
      'deviceId',
      '--to',
      to,
      '--on-error',
      `collect:${path('bad.ndjson')}`
    ])

    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('exists already') })
    expect(readFileSync(path('bad.ndjson'), 'utf8')).toBe('mine')
  })

  it.each([
    ['lines of JSON', '{"id":"1"}\n{"id":"2"}\n'],
    ['text', 'mine\n'],
    ['text without a line end', 'mine'],
    ['rejected records and text', '{"input":"a","line":1,"code":"X","message":"m","record":"r"}\nmine\n']
  ])(
    'refuses a file of %s as the file of rejected records of a resumed load, and does not change it',
    async (_, content) => {
      const { to } = await start()
      writeFileSync(path('in.ndjson'), `${linesOf(2)}{"id":"bad"}\n`)
      const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]
      expect(await runCommand(command)).toMatchObject({ code: 3 })
      writeFileSync(path('bad.ndjson'), content)

      const { code, stderr } = await runCommand([...command, '--on-error', `collect:${path('bad.ndjson')}`])

      expect(readFileSync(path('bad.ndjson'), 'utf8')).toBe(content)
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('its content is not the rejected records of a load')
      })
    }
  )

  it.each([
    ['incomplete', '{"input":"a","line":1,"code":"X","message":"m","record":"r"}\n{"input":"a","li', 2],
    ['without its line end', '{"input":"a","line":1,"code":"X","message":"m","record":"r"}', 2]
  ])('continues a file of rejected records whose last line is %s', async (_, content, count) => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), `${linesOf(2)}{"id":"bad"}\n`)
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]
    expect(await runCommand(command)).toMatchObject({ code: 3 })
    writeFileSync(path('bad.ndjson'), content)

    expect(await runCommand([...command, '--on-error', `collect:${path('bad.ndjson')}`])).toMatchObject({ code: 0 })

    expect(parseLines(path('bad.ndjson'))).toHaveLength(count)
  })

  it('refuses the same file for the checkpoint and for the rejected records', async () => {
    const { to, documents } = await start()
    writeFileSync(path('in.ndjson'), `${linesOf(2)}{"id":"bad"}\n`)
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]
    const commands = [
      [...command, '--checkpoint', path('new.cp'), '--on-error', `collect:${path('new.cp')}`],
      [...command, '--on-error', `collect:${path('in.ndjson.checkpoint')}`],
      [...command, '--checkpoint', path('in.ndjson')]
    ]

    for (const one of commands)
      expect(await runCommand(one)).toMatchObject({ code: 2, stderr: expect.stringContaining(' is also ') })

    expect(await documents()).toEqual([])
    expect(readFileSync(path('in.ndjson'), 'utf8')).toContain('bad')
  })

  it('stops when too many records are rejected', async () => {
    const { to } = await start()

    const { code, stderr } = await runCommand(
      ['load', '--from', 'x', '--to', to, '--on-error', 'skip', '--max-rejected', '2'],
      {
        input: linesOf(10)
      }
    )

    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('More than 2 records') })
  })

  it('fails at the end when more than the allowed percentage of few records was rejected', async () => {
    const { to, documents } = await start()
    writeFileSync(path('in.ndjson'), `${linesOf(8)}{"id":"bad"}\n{"id":"worse"}\n`)
    const command = [
      'load',
      '--from',
      'deviceId',
      '--to',
      to,
      path('in.ndjson'),
      '--no-checkpoint',
      '--on-error',
      'skip',
      '--max-rejected'
    ]

    expect(await runCommand([...command, '20%'])).toMatchObject({ code: 0 })
    expect(await runCommand([...command, '19%'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        `keystamp: 2 of 10 records were rejected; the limit is 19%. The last: ${path('in.ndjson')}, line 10: A field`
      )
    })
    expect(await documents()).toHaveLength(8)
  })

  it('stops before the end when the allowed percentage is exceeded after at least 1,000 records', async () => {
    const { to, documents } = await start()
    const input = `${linesOf(900)}${'{"id":"bad"}\n'.repeat(200)}${linesOf(5000)}`

    const { code, stderr } = await runCommand(
      ['load', '--from', 'deviceId', '--to', to, '--on-error', 'skip', '--max-rejected', '5%'],
      {
        input
      }
    )

    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        '100 of 1,000 records were rejected; the limit is 5%. The last: Standard input, line 1000: '
      )
    })
    expect((await documents()).length).toBeLessThanOrEqual(900)
  })

  it('refuses an invalid --max-rejected before it reads anything, even in a dry run', async () => {
    const { to } = await start()

    expect(
      await runCommand(['load', '--from', 'deviceId', '--to', to, '--max-rejected', 'few', '--dry-run'])
    ).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--max-rejected must be a whole number, or a percentage')
    })
  })
})

function parseLines(file: string): Record<string, unknown>[] {
  const text = readFileSync(file, 'utf8').trim()
  return text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
}
