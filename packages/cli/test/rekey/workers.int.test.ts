import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CosmosClient } from '@azure/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'
import { MovingApplication } from './moving-application.ts'

const COMMAND = fileURLToPath(new URL('../../bin/keystamp.mjs', import.meta.url))
const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/id' }] } as const
const LEASE_MS = 5000

describe('keystamp rekey --workers lease', () => {
  const path = useTemporaryFolder()
  const children: ChildProcess[] = []
  let emulator: Emulator
  let application: MovingApplication

  beforeEach(async () => {
    emulator = await startEmulator({ ranges: 4 })
    writeFileSync(path('plan.json'), JSON.stringify(PLAN))
  })

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    await application.stop()
    await emulator.stop()
  })

  // checks L22
  it('divides the ranges between two processes, and goes on when one stands still and the other is killed', async () => {
    const policy = { changeFeedPolicy: { retentionDuration: 60 } }
    await create('drives', '/deviceId', policy)
    await create('drives-2', '/partitionKey', policy)
    await create('leases', '/id', {})
    const files = { frozen: path('frozen'), moved: path('moved') }
    application = new MovingApplication(emulator, ['drives', 'drives-2'], PLAN, files)
    await application.fill(300)
    application.start()
    const [one, other] = [start('one', files), start('other', files)]
    await expect.poll(ownRanges, { timeout: 60_000 }).toStrictEqual([2, 2])

    const exit = once(one, 'exit')
    one.kill('SIGSTOP')
    await expect.poll(() => rangesOf('other'), { timeout: 30_000 }).toBe(4)
    one.kill('SIGCONT')
    await expect.poll(ownRanges, { timeout: 30_000 }).toStrictEqual([2, 2])
    other.kill('SIGKILL')
    await expect.poll(() => rangesOf('one'), { timeout: 30_000 }).toBe(4)

    expect(await ask('switch', path('one'))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^fleet\/drives-2 at .* is in charge now\.\n$/)
    })
    await application.fill(20)
    await application.stop()
    expect(await ask('compare', path('one'))).toMatchObject({ code: 0 })
    expect(await ask('finish', path('one'))).toMatchObject({ code: 0 })
    expect(await exit).toStrictEqual([0, null])

    expect(application.refused).toStrictEqual([])
    expect(await application.read('new')).toStrictEqual(application.expected)
    expect(await application.read('old')).toStrictEqual(application.expected)
  }, 180_000)

  function start(name: string, files: { readonly frozen: string; readonly moved: string }): ChildProcess {
    const { endpoint } = emulator
    const child = spawn(
      process.execPath,
      [
        ...['--conditions=@keystamp/source', '--import', 'tsx', COMMAND, 'rekey'],
        ...['--from', `${endpoint}fleet/drives`, '--to', `${endpoint}fleet/drives-2`, '--plan', path('plan.json')],
        ...['--workers', 'lease', '--leases', `${endpoint}fleet/leases`, '--lease-length', `${LEASE_MS / 1000}s`],
        ...['--journal', path(name), '--share-from', '50%', '--share-to', '50%', '--yes', '--quiet'],
        ...['--before', `touch ${files.frozen}`, '--after', `touch ${files.moved}; rm ${files.frozen}`],
        ...['--canceled', `rm -f ${files.frozen}`]
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] }
    )
    children.push(child)
    return child
  }

  function ownRanges(): readonly unknown[] {
    return [rangesOf('one'), rangesOf('other')]
  }

  /** Number of ranges that a process copies. */
  function rangesOf(name: string): unknown {
    try {
      return (JSON.parse(readFileSync(`${path(name)}/status.json`, 'utf8')) as Record<string, unknown>)['ownRanges']
    } catch {
      return undefined
    }
  }

  async function create(container: string, key: string, definition: object): Promise<void> {
    const client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key })
    const { database } = await client.databases.createIfNotExists({ id: 'fleet' })
    const partitionKey = { paths: [key], version: 2, kind: 'Hash' } as never
    await database.containers.create({ id: container, partitionKey, ...definition }, { offerThroughput: 40_000 })
    client.dispose()
  }
})

/** Asks for a step; again while its conditions are not met, or while no process coordinates the move. */
async function ask(step: string, journal: string): ReturnType<typeof runCommand> {
  for (let attempt = 0; ; attempt++) {
    const asked = await runCommand(['rekey', step, '--journal', journal])
    if (asked.code !== 4 || attempt === 60) return asked
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
