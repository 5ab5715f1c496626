import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

const SAVED =
  'keystamp: interrupted. The folder of --journal has the state of the move: start the same command again to continue it.\n'

describe('keystamp rekey, interrupted', () => {
  const path = useTemporaryFolder()
  let emulator: Emulator
  let ending: AbortController

  beforeEach(async () => {
    emulator = await startEmulator({ ranges: 2, auth: 'off' })
    await post('dbs', { id: 'fleet' })
    for (const [id, at] of Object.entries({ drives: '/deviceId', 'drives-2': '/key' }))
      await post('dbs/fleet/colls', { id, partitionKey: { paths: [at], kind: 'Hash', version: 2 } })
    ending = new AbortController()
    writeFileSync(path('plan.json'), JSON.stringify({ into: '/key', from: [{ field: '/deviceId' }, { field: '/id' }] }))
  })

  afterEach(async () => {
    ending.abort()
    await emulator.stop()
  })

  it('during the check: says that the move has not begun', async () => {
    emulator.faults.inject({ on: 'read', action: { kind: 'delay', ms: 20_000 } })
    const move = start()
    setTimeout(() => ending.abort(), 1000)
    expect(await move).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('keystamp: interrupted. The move has not begun, and nothing was written.\n')
    })
    expect(existsSync(path('journal'))).toBe(false)
  })

  it('while it follows changes: says what is saved, and how to continue', async () => {
    const move = start()
    await expect.poll(() => statusOf('phase'), { timeout: 20_000 }).toBe('follow')
    ending.abort()
    expect(await move).toMatchObject({ code: 130, stderr: expect.stringContaining(SAVED) })
  })

  it('while a hook holds the application: calls the switch off, and answers the request', async () => {
    const move = start('--before', `sleep 50; true`, '--canceled', `touch ${path('canceled')}`)
    await expect.poll(() => statusOf('compared'), { timeout: 20_000 }).toMatchObject({ isEqual: true })
    const asked = runCommand(['rekey', 'switch', '--journal', path('journal')])
    await expect.poll(() => statusOf('step'), { timeout: 20_000 }).toBe('running the hook `before`')
    ending.abort()
    expect(await move).toMatchObject({ code: 130, stderr: expect.stringContaining(SAVED) })
    expect(readFileSync(path('canceled'), 'utf8')).toBe('')
    expect(await asked).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(
        /^The hook `before` failed: it was interrupted\. fleet\/drives .* stays in charge\.\n$/
      )
    })
    expect(statusOf('phase')).toBe('follow')
  })

  it('answers a request that came while no process ran, also one that it does not know', async () => {
    const first = start()
    await expect.poll(() => statusOf('phase'), { timeout: 20_000 }).toBe('follow')
    ending.abort()
    await first
    writeFileSync(path('journal/request-1700000000000-00000000.json'), JSON.stringify({ command: 'dance' }))
    ending = new AbortController()
    const move = start()
    const result = path('journal/result-1700000000000-00000000.json')
    await expect.poll(() => existsSync(result) && readFileSync(result, 'utf8'), { timeout: 20_000 }).toContain('dance')
    ending.abort()
    expect(await move).toMatchObject({ code: 130 })
  })

  it('started twice at once: one process runs the move, and the other one is refused with one sentence', async () => {
    // a new journal, and one that is there
    for (let round = 0; round < 2; round++) {
      ending = new AbortController()
      const moves = [start(), start()]
      const refused = await Promise.race(moves)
      expect(refused).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /keystamp: The journal .* is in use by the process \d+, which runs this move\. See `keystamp rekey status --journal .*`, or stop that process first\.\n$/
        )
      })
      await expect.poll(() => statusOf('phase'), { timeout: 20_000 }).toBe('follow')
      ending.abort()
      const codes = (await Promise.all(moves)).map(({ code }) => code).toSorted((a, b) => a - b)
      expect(codes).toStrictEqual([2, 130])
    }
  })

  it('takes a request back that waits', async () => {
    const move = start()
    await expect.poll(() => statusOf('phase'), { timeout: 20_000 }).toBe('follow')
    ending.abort()
    await move
    const asking = new AbortController()
    const asked = runCommand(['rekey', 'abort', '--journal', path('journal')], { signal: asking.signal })
    setTimeout(() => asking.abort(), 1000)
    expect(await asked).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('interrupted. The request was taken back, unless `abort` has begun')
    })
  })

  function start(...options: readonly string[]): ReturnType<typeof runCommand> {
    const { endpoint } = emulator
    const containers = ['--from', `${endpoint}fleet/drives`, '--to', `${endpoint}fleet/drives-2`]
    const files = ['--plan', path('plan.json'), '--journal', path('journal')]
    return runCommand(['rekey', ...containers, ...files, '--yes', ...options], {
      signal: ending.signal,
      env: process.env
    })
  }

  async function post(to: string, body: object): Promise<void> {
    const answer = await fetch(`${emulator.endpoint}${to}`, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
  }

  function statusOf(name: string): unknown {
    try {
      return (JSON.parse(readFileSync(path('journal/status.json'), 'utf8')) as Record<string, unknown>)[name]
    } catch {
      return undefined
    }
  }
})
