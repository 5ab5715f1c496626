import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'

describe('keystamp rekey, while it waits', () => {
  const path = useTemporaryFolder()
  let emulator: Emulator
  let ending: AbortController
  let move: ReturnType<typeof runCommand>
  let port: number

  beforeEach(async () => {
    emulator = await startEmulator({ ranges: 2, auth: 'off' })
    await post('dbs', { id: 'fleet' })
    for (const [id, at] of Object.entries({ drives: '/deviceId', 'drives-2': '/key' }))
      await post('dbs/fleet/colls', { id, partitionKey: { paths: [at], kind: 'Hash', version: 2 } })
    ending = new AbortController()
    port = await freePort()
    writeFileSync(path('plan.json'), JSON.stringify({ into: '/key', from: [{ field: '/deviceId' }, { field: '/id' }] }))
    const { endpoint } = emulator
    const containers = ['--from', `${endpoint}fleet/drives`, '--to', `${endpoint}fleet/drives-2`]
    const files = ['--plan', path('plan.json'), '--journal', path('journal')]
    const args = ['rekey', ...containers, ...files, '--yes', '--http', String(port)]
    move = runCommand(args, { signal: ending.signal, env: process.env })
    while (statusOf()?.['phase'] !== 'follow') await new Promise((resolve) => setTimeout(resolve, 100))
  }, 30_000)

  afterEach(async () => {
    ending.abort()
    await move
    await emulator.stop()
  })

  it.each([
    ['source', 'drives', { on: 'read', action: { kind: 'status', status: 503 } }, /503 to reading the change feed/],
    ['source', 'drives', { on: 'read', action: { kind: 'delay', ms: 20_000 } }, /has not answered a read yet/],
    ['target', 'drives-2', { on: 'write', action: { kind: 'reset' } }, /has not accepted a write/]
  ] as const)(
    'for the %s (%s, fault %j): says so in log, status, health and metrics',
    async (reason, container, { on, action }, detail) => {
      const fault = emulator.faults.inject({ container, on, action })
      await post('dbs/fleet/colls/drives/docs', { id: 'a', deviceId: 'd' }, '["d"]')
      await expect.poll(() => statusOf()?.['waits'], { timeout: 15_000 }).toMatchObject([{ reason }])
      const text = await statusText()
      expect(text).toMatch(new RegExp(`^! Waiting since \\S+Z: fleet/${container} at .*${detail.source}`, 'm'))
      expect(await get('health')).toMatch(new RegExp(`^ok\nwaiting since \\S+Z: fleet/${container} at `))
      const metrics = await get('metrics')
      expect(metrics).toContain(`keystamp_move_blocked{reason="${reason}"} 1\n`)
      expect(metrics).toMatch(
        new RegExp(`^keystamp_move_wait_start_timestamp_seconds\\{reason="${reason}"\\} \\d{10}`, 'm')
      )
      emulator.faults.clear(fault)
      await expect.poll(() => statusOf()?.['waits'], { timeout: 30_000 }).toEqual([])
      expect(await get('health')).toBe('ok\n')
      ending.abort()
      const { stderr } = await move
      expect(stderr).toMatch(/^keystamp: waiting since \d\d:\d\d:\d\d UTC: fleet\/drives/m)
      expect(stderr).toMatch(new RegExp(`^keystamp: the ${reason} answers again after \\d+ s$`, 'm'))
    },
    90_000
  )

  it.each([
    ['drives', 'read', 401],
    ['drives-2', 'write', 403]
  ] as const)(
    'ends if %s refuses its key for a %s (%i): says which container, how to continue, and why',
    async (container, on, status) => {
      emulator.faults.inject({ container, on, action: { kind: 'status', status } })
      await post('dbs/fleet/colls/drives/docs', { id: 'a', deviceId: 'd' }, '["d"]')
      const { code, stderr } = await move
      expect(code).toBe(2)
      const sentence = `fleet/${container} at ${new URL(emulator.endpoint).host}: Cosmos DB refused `
      expect(stderr).toContain(`keystamp: ${sentence}`)
      expect(stderr.trimEnd()).toMatch(/start the same command again to continue it\.$/)
      expect(await statusText()).toMatch(new RegExp(`^! The last process ended at \\S+Z: ${sentence}`, 'm'))
    }
  )

  it('for a person: says that it is paused, and copies nothing until the flag file is removed', async () => {
    writeFileSync(path('journal/pause'), '')
    await expect.poll(() => statusOf()?.['waits'], { timeout: 10_000 }).toMatchObject([{ reason: 'pause' }])
    await post('dbs/fleet/colls/drives/docs', { id: 'a', deviceId: 'd' }, '["d"]')
    // without the pause, it is there after a few milliseconds
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(await copies()).toEqual([])
    rmSync(path('journal/pause'))
    await expect.poll(() => statusOf()?.['waits'], { timeout: 10_000 }).toEqual([])
    await expect.poll(copies, { timeout: 10_000 }).toMatchObject([{ id: 'a' }])
  })

  it('says that deletes are found by comparisons, and warns before the feed forgets them', async () => {
    ending.abort()
    const { stderr } = await move
    expect(stderr).toMatch(/^keystamp: fleet\/drives at \S+ has no change feed of all versions and deletes, so /m)
    const readTo = new Date(Date.now() - 55 * 60_000).toISOString()
    const versions = { readTo, retentionMinutes: 60, isRetentionTold: true }
    writeFileSync(path('journal/status.json'), JSON.stringify({ ...statusOf(), deletes: 'feed', versions }))
    expect(await statusText()).toContain(`! Deletes are read up to ${readTo}, and Cosmos DB keeps them until `)
    const json = await runCommand(['rekey', 'status', '--journal', path('journal'), '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ warnings: [expect.stringContaining('Let the move continue')] })
  })

  async function statusText(): Promise<string> {
    return (await runCommand(['rekey', 'status', '--journal', path('journal')])).stdout
  }

  async function get(page: string): Promise<string> {
    return (await fetch(`http://127.0.0.1:${port}/${page}`)).text()
  }

  async function post(to: string, body: object, key?: string): Promise<void> {
    const headers: Record<string, string> = key === undefined ? {} : { 'x-ms-documentdb-partitionkey': key }
    const answer = await fetch(`${emulator.endpoint}${to}`, { method: 'POST', body: JSON.stringify(body), headers })
    if (!answer.ok) throw new Error(await answer.text())
  }

  async function copies(): Promise<readonly object[]> {
    const answer = await fetch(`${emulator.endpoint}dbs/fleet/colls/drives-2/docs`)
    return ((await answer.json()) as { readonly Documents: readonly object[] }).Documents
  }

  function statusOf(): Record<string, unknown> | undefined {
    try {
      return JSON.parse(readFileSync(path('journal/status.json'), 'utf8')) as Record<string, unknown>
    } catch {
      return undefined
    }
  }
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
