import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../../files/test/inputs/lines-of.ts'
import { useTargets } from '../../load/start-target.ts'
import { runCommand } from '../../run-command.ts'
import { useTemporaryFolder } from '../../temporary-folder.ts'

describe('an interrupted `keystamp load`', () => {
  const start = useTargets()
  const path = useTemporaryFolder()

  it('stops at a rejected record, saves its progress, and resumes after the record was fixed', async () => {
    const { to, documents, emulator } = await start()
    writeFileSync(path('in.ndjson'), `${linesOf(300)}{"id":"bad"}\n${linesOf(300, 300)}`)
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]

    const first = await runCommand(command)

    expect(first).toMatchObject({ code: 3, stderr: expect.stringContaining('line 301') })
    expect(first.stderr).toContain('resumes from there')
    expect(JSON.parse(readFileSync(path('in.ndjson.checkpoint'), 'utf8'))).toMatchObject({
      place: { input: 0, line: 300 }
    })
    expect(statSync(path('in.ndjson.checkpoint')).mode & 0o777).toBe(0o600)

    emulator.clearOperations()
    const second = await runCommand([...command, '--on-error', 'skip'])

    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('keystamp: resuming after line 300 of ') })
    expect(await documents()).toHaveLength(600)
    expect(emulator.operations()).toHaveLength(300)
    expect(existsSync(path('in.ndjson.checkpoint'))).toBe(false)
  })

  it.each([
    ['another plan', ['--from', 'n'], /another plan/],
    ['another choice of ids', ['--from', 'deviceId', '--id', 'hash'], /--id/],
    ['another strategy', ['--from', 'deviceId', '--strategy', 'append'], /strategy/]
  ])('refuses a checkpoint that was written for %s', async (_, change, message) => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), `${linesOf(10)}{"id":"bad"}\n`)
    await runCommand(['load', '--from', 'deviceId', '--to', to, path('in.ndjson')])

    const { code, stderr } = await runCommand(['load', ...change, '--to', to, path('in.ndjson')])

    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(message) })
  })

  it('refuses a checkpoint if the input has changed, or if the checkpoint is damaged', async () => {
    const { to } = await start()
    writeFileSync(path('in.ndjson'), `${linesOf(10)}{"id":"bad"}\n`)
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]
    await runCommand(command)

    writeFileSync(path('in.ndjson'), linesOf(9))
    expect(await runCommand(command)).toMatchObject({ code: 2, stderr: expect.stringContaining('has changed') })
    writeFileSync(path('in.ndjson.checkpoint'), '{"version":1,')
    expect(await runCommand(command)).toMatchObject({ code: 2, stderr: expect.stringContaining('damaged') })
  })

  it('saves its progress when it gets a signal, and ends', async () => {
    const { to, documents, emulator } = await start({ latencyMs: 30 })
    writeFileSync(path('in.ndjson'), linesOf(3000))
    const command = ['load', '--from', 'deviceId', '--to', to, path('in.ndjson')]
    const abort = new AbortController()
    // the response to the first write is still to come, so this cannot be after the end
    const watch = setInterval(() => emulator.operations().length > 0 && abort.abort(), 5)

    const first = await runCommand(command, { signal: abort.signal })
    clearInterval(watch)
    const second = await runCommand(command)

    expect(first).toMatchObject({ code: 130, stderr: expect.stringContaining('resumes from there') })
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('keystamp: resuming after line ') })
    expect(await documents()).toHaveLength(3000)
  })
})
