import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startEmulator } from '@keystamp/emulator'
import { expect, it } from 'vitest'

const CHILD = fileURLToPath(new URL('./read-changes-child.mjs', import.meta.url))

it('reading goes on after the process was stopped for longer than `retryForMs`', async () => {
  const emulator = await startEmulator({ auth: 'off' })
  const post = (path: string, body: object) =>
    fetch(`${emulator.endpoint}${path}`, { method: 'POST', body: JSON.stringify(body) })
  await post('dbs', { id: 'd' })
  await post('dbs/d/colls', { id: 'c', partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 } })
  // so that a request is under way at the moment of the stop
  emulator.faults.inject({ on: 'changeFeed', action: { kind: 'delay', ms: 200 } })
  const args = ['--conditions=@keystamp/source', '--import', 'tsx', CHILD, emulator.endpoint]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let pages = 0
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (pages += chunk.toString().split('\n').length - 1))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const closed = once(child, 'close')
  try {
    await expect.poll(() => pages, { timeout: 30_000 }).toBeGreaterThan(2)
    for (let stops = 0; stops < 3; stops++) {
      child.kill('SIGSTOP')
      await sleep(2500)
      const before = pages
      child.kill('SIGCONT')
      await expect.poll(() => pages + errors.length, { timeout: 10_000 }).toBeGreaterThan(before + 1)
    }
    expect(errors).toBe('')
    expect(child.exitCode).toBeNull()
  } finally {
    child.kill('SIGKILL')
    await closed
    await emulator.stop()
  }
}, 60_000)
