import { appendFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../../files/test/inputs/lines-of.ts'
import { useTargets } from '../../load/start-target.ts'
import { runCommand } from '../../run-command.ts'
import { useTemporaryFolder } from '../../temporary-folder.ts'

const BAD = '{"id":"bad"}\n'
const FIXED = '{"id":"fixed","deviceId":"x"}\n'

describe('`keystamp load` that is resumed with changed inputs', () => {
  const start = useTargets()
  const path = useTemporaryFolder()

  it('continues at the rejected line after it was fixed, and reports that the file has changed only after that line', async () => {
    const { to, documents, emulator } = await start()
    writeFileSync(path('in.ndjson'), linesOf(300) + BAD + linesOf(300, 300))
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]
    expect(await runCommand(command)).toMatchObject({ code: 3, stderr: expect.stringContaining('line 301') })

    writeFileSync(path('in.ndjson'), linesOf(300) + FIXED + linesOf(310, 300))
    emulator.clearOperations()
    const { code, stderr } = await runCommand(command)

    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('in.ndjson has changed since, but only after that line.')
    })
    expect(emulator.operations()).toHaveLength(311)
    expect(await documents()).toHaveLength(611)
  })

  it('continues at the second line if that line was rejected and then fixed', async () => {
    const { to, documents } = await start()
    writeFileSync(path('in.ndjson'), linesOf(1) + BAD + linesOf(1, 1))
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]
    expect(await runCommand(command)).toMatchObject({ code: 3 })

    writeFileSync(path('in.ndjson'), linesOf(1) + FIXED + linesOf(1, 1))

    expect(await runCommand(command)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('resuming after line 1 of')
    })
    expect(await documents()).toHaveLength(3)
  })

  it('continues at a rejected record of CSV after it was fixed', async () => {
    const { to, documents, emulator } = await start()
    const rows = Array.from({ length: 300 }, (_, n) => `r${n},"d\n${n % 7}"\r\n`).join('')
    writeFileSync(path('in.csv'), `id,deviceId\r\n${rows}bad,\r\nlast,x`)
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.csv')]
    expect(await runCommand(command)).toMatchObject({ code: 3 })

    writeFileSync(path('in.csv'), `id,deviceId\r\n${rows}bad,y\r\nlast,x`)
    emulator.clearOperations()
    const { code, stderr } = await runCommand(command)

    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('resuming after record 300 of') })
    expect(emulator.operations()).toHaveLength(2)
    expect(await documents()).toHaveLength(302)
  })

  it.each([
    ['a changed value', (text: string) => text.replace('"n":5}', '"n":6}')],
    ['a changed value far from both ends', (text: string) => text.replace('"n":4000}', '"n":4001}')],
    ['a changed last line', (text: string) => text.replace('"n":7999}', '"n":7998}')],
    ['an inserted line', (text: string) => `{"id":"new","deviceId":"x"}\n${text}`],
    ['a removed line', (text: string) => text.slice(text.indexOf('\n') + 1)],
    ['a missing end', (text: string) => text.slice(0, 100)]
  ])('is refused with file and record if the part before the checkpoint has %s', async (_, change) => {
    const { to, documents } = await start()
    const before = linesOf(8000)
    writeFileSync(path('in.ndjson'), before + BAD)
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]
    expect(await runCommand(command)).toMatchObject({ code: 3 })
    const documentsBefore = (await documents()).length

    writeFileSync(path('in.ndjson'), change(before) + FIXED)

    expect(await runCommand(command)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `${path('in.ndjson')} has changed at or before record 8,000, the last one that is loaded.`
      )
    })
    expect(await documents()).toHaveLength(documentsBefore)
  })

  it('compares the records of all earlier runs, not only those of the last run', async () => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), linesOf(10) + BAD + linesOf(10, 10) + BAD)
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]
    await runCommand(command)
    writeFileSync(path('in.ndjson'), linesOf(10) + FIXED + linesOf(10, 10) + BAD)
    expect(await runCommand(command)).toMatchObject({ code: 3, stderr: expect.stringContaining('line 22') })

    writeFileSync(path('in.ndjson'), linesOf(10).replace('"n":3', '"n":4') + FIXED + linesOf(10, 10) + FIXED)
    expect(await runCommand(command)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has changed at or before record 21')
    })
    writeFileSync(path('in.ndjson'), linesOf(10) + FIXED + linesOf(10, 10) + FIXED)
    expect(await runCommand(command)).toMatchObject({ code: 0 })
  })

  it('is refused if the last line of the input had no line end and has been continued', async () => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), linesOf(3).trimEnd())
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]
    // the last line is settled, and the load fails after it
    const failing = [...command, path('none.gz')]
    writeFileSync(path('none.gz'), 'no gzip')
    expect(await runCommand(failing)).toMatchObject({ code: 1, stderr: expect.stringContaining('resumes from there') })

    appendFileSync(path('in.ndjson'), ',"more":1}\n')

    expect(await runCommand(command)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has changed at or before record 3')
    })
  })

  it('resumes if a file, a compressed file or an array has another modification time, and its path another spelling', async () => {
    const { to } = await start()
    const elements = linesOf(5).trim().split('\n')
    const inputs: Readonly<Record<string, string | Buffer>> = {
      'in.ndjson': linesOf(5) + BAD,
      'in.ndjson.gz': gzipSync(linesOf(5) + BAD),
      'in.json': `[${elements.join()},${BAD}]`
    }
    for (const [name, content] of Object.entries(inputs)) {
      writeFileSync(path(name), content)
      const command = ['load', '--from', 'deviceId', '--to', to, ...(name.endsWith('.json') ? ['--array'] : [])]
      const checkpoint = ['--checkpoint', path('cp')]
      expect(await runCommand([...command, ...checkpoint, path(name)])).toMatchObject({ code: 3 })
      utimesSync(path(name), new Date(), new Date(Date.now() + 5000))

      const resumed = await runCommand([
        ...command,
        ...checkpoint,
        '--on-error',
        'skip',
        relative(process.cwd(), path(name))
      ])

      expect(resumed).toMatchObject({ code: 0, stderr: expect.stringContaining('resuming after') })
    }
  })

  it.each([
    ['a compressed input', 'in.ndjson.gz', (text: string) => gzipSync(text), []],
    ['an input with ids by position', 'in.ndjson', (text: string) => text, ['--id', 'position']]
  ])('is refused with the reason if %s has changed anywhere', async (_, name, pack, options) => {
    const { to } = await start()
    writeFileSync(path(name), pack(linesOf(5) + BAD))
    const command = ['load', '--from', 'deviceId', '--to', to, ...options, path(name)]
    expect(await runCommand(command)).toMatchObject({ code: 3 })

    writeFileSync(path(name), pack(linesOf(5) + FIXED))

    expect(await runCommand(command)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('can only be resumed unchanged')
    })
  })

  it('is refused if a loaded input has changed, even by an added line, but not if a later input has changed', async () => {
    const { to, documents } = await start()
    writeFileSync(path('a.ndjson'), linesOf(3))
    writeFileSync(path('b.ndjson'), linesOf(2, 3) + BAD)
    writeFileSync(path('c.ndjson'), BAD)
    const command = ['load', '--from', 'deviceId', '--to', to, path('a.ndjson'), path('b.ndjson'), path('c.ndjson')]
    expect(await runCommand(command)).toMatchObject({ code: 3 })

    writeFileSync(path('b.ndjson'), linesOf(2, 3) + FIXED)
    writeFileSync(path('c.ndjson'), linesOf(4, 5))
    writeFileSync(path('a.ndjson'), linesOf(4))
    expect(await runCommand(command)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a.ndjson has changed, and its records are loaded already.')
    })
    writeFileSync(path('a.ndjson'), linesOf(3))
    expect(await runCommand(command)).toMatchObject({ code: 0 })
    expect(await documents()).toHaveLength(10)
  })

  it('collects a rejected record that has moved to the line of another rejected record', async () => {
    const { to } = await start({ latencyMs: 5 })
    writeFileSync(path('in.ndjson'), `${linesOf(1)}{"id":"bad1"}\n{"id":"bad2"}\n`)
    const command = [
      'load',
      '--from',
      'deviceId',
      '--to',
      to,
      '--max-rejected',
      '1',
      '--on-error',
      `collect:${path('bad')}`,
      path('in.ndjson')
    ]
    expect(await runCommand(command)).toMatchObject({ code: 3 })
    // the record of line 2 is collected; the checkpoint is set back, as if the process had been killed before the
    // checkpoint passed that line
    const checkpoint = JSON.parse(readFileSync(path('in.ndjson.checkpoint'), 'utf8')) as { place: object }
    writeFileSync(
      path('in.ndjson.checkpoint'),
      JSON.stringify({ ...checkpoint, place: { ...checkpoint.place, line: 0, byte: 0 }, crc32: undefined })
    )
    writeFileSync(path('in.ndjson'), `${linesOf(1)}{"id":"bad2"}\n`)

    expect(await runCommand(command)).toMatchObject({ code: 0 })

    expect(readFileSync(path('bad'), 'utf8')).toContain('bad2')
  })
})
