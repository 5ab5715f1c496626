import { readFileSync, writeFileSync } from 'node:fs'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'
import { MovingApplication } from './moving-application.ts'

const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/id' }] } as const

describe('keystamp rekey, while an application writes', () => {
  const path = useTemporaryFolder()
  let emulator: Emulator
  let application: MovingApplication
  let ending: AbortController

  beforeEach(async () => {
    emulator = await startEmulator({ ranges: 3 })
    ending = new AbortController()
    writeFileSync(path('plan.json'), JSON.stringify(PLAN))
  })

  afterEach(async () => {
    ending.abort()
    await application.stop()
    await emulator.stop()
  })

  describe.each([
    ['with the feed of all versions and deletes', { changeFeedPolicy: { retentionDuration: 60 } }],
    ['without it', {}]
  ])('%s', (_title, policy) => {
    it('moves to the new container and back, and loses no write', async () => {
      await create('drives', {
        id: 'drives',
        partitionKey: { paths: ['/deviceId'], version: 2, kind: 'Hash' },
        ...policy
      })
      await create('drives-2', {
        id: 'drives-2',
        partitionKey: { paths: ['/partitionKey'], version: 2, kind: 'Hash' },
        ...policy
      })
      const files = { frozen: path('frozen'), moved: path('moved') }
      application = new MovingApplication(emulator, ['drives', 'drives-2'], PLAN, files)
      await application.fill(300)
      application.start()
      const journal = path('moves/drives')
      const move = runCommand(
        [
          ...['rekey', '--from', `${emulator.endpoint}fleet/drives`, '--to', `${emulator.endpoint}fleet/drives-2`],
          ...['--plan', path('plan.json'), '--journal', journal, '--share-from', '100%', '--share-to', '100%', '--yes'],
          ...['--before', `touch ${files.frozen}`],
          ...[
            '--after',
            `if [ "$KEYSTAMP_DIRECTION" = forward ]; then touch ${files.moved}; else rm ${files.moved}; fi; rm ${files.frozen}`
          ],
          ...['--canceled', `rm -f ${files.frozen}`]
        ],
        { signal: ending.signal, env: process.env }
      )
      await phase(journal, 'follow')

      const there = await ask('switch', journal)
      expect(there).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^fleet\/drives-2 at .* is in charge now\.\n$/)
      })
      await writes(200)
      const back = await ask('back', journal)
      expect(back).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^fleet\/drives at .* is in charge now\.\n$/)
      })
      await writes(200)
      const again = await ask('switch', journal)
      expect(again).toMatchObject({ code: 0 })
      await writes(100)
      await application.stop()
      expect(await ask('compare', journal)).toMatchObject({ code: 0 })
      const finished = await ask('finish', journal)
      expect(finished).toMatchObject({ code: 0 })
      expect(await move).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Finished; the target is in charge/) })

      expect(application.refused).toStrictEqual([])
      expect(await application.read('new')).toStrictEqual(application.expected)
      expect(await application.read('old')).toStrictEqual(application.expected)
    }, 90_000)
  })

  async function writes(count: number): Promise<void> {
    const before = application.expected.length
    const from = Math.max(0, ...[...application.log.values()].map(({ km }) => km))
    expect(before).toBeGreaterThan(0)
    await expect
      .poll(() => Math.max(0, ...[...application.log.values()].map(({ km }) => km)) - from, { timeout: 20_000 })
      .toBeGreaterThan(count)
  }

  async function create(container: string, definition: object): Promise<void> {
    const { CosmosClient } = await import('@azure/cosmos')
    const client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key })
    const { database } = await client.databases.createIfNotExists({ id: 'fleet' })
    await database.containers.create({ id: container, ...definition }, { offerThroughput: 40_000 })
    client.dispose()
  }
})

/** Asks for a step as a second command does; again while its conditions are not met. */
async function ask(step: string, journal: string): ReturnType<typeof runCommand> {
  for (let attempt = 0; ; attempt++) {
    const asked = await runCommand(['rekey', step, '--journal', journal])
    if (asked.code !== 4 || attempt === 20) return asked
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function phase(journal: string, name: string): Promise<void> {
  await expect.poll(() => statusOf(journal)?.['phase'], { timeout: 20_000 }).toBe(name)
}

function statusOf(journal: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(`${journal}/status.json`, 'utf8')) as Record<string, unknown>
  } catch {
    return undefined
  }
}
