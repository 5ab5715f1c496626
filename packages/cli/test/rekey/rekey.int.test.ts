import { readFileSync, writeFileSync } from 'node:fs'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'
import { MovingApplication } from './moving-application.ts'

const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/id' }] } as const

/** Message of a step after which a container is in charge. */
const IN_CHARGE = (container: string): unknown =>
  expect.stringMatching(new RegExp(`^fleet/${container} at .* is in charge now\\.\\n$`))

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

  // checks L20
  it.each([
    ['deletes by the feed', []],
    ['deletes by the feed, with --fence', ['--fence']]
  ])(
    'moves to the new container and back, and loses no write (%s)',
    async (_name, options) => {
      const { journal, move } = await begin({ changeFeedPolicy: { retentionDuration: 60 } }, options)
      expect(await ask('switch', journal)).toMatchObject({ code: 0, stdout: IN_CHARGE('drives-2') })
      await writes(200)
      expect(await ask('back', journal)).toMatchObject({ code: 0, stdout: IN_CHARGE('drives') })
      await writes(200)
      await application.stop()
      expect(await ask('compare', journal)).toMatchObject({ code: 0 })
      expect(await ask('abort', journal)).toMatchObject({ code: 0 })
      expect(await move).toMatchObject({ code: 0, stdout: expect.stringContaining('Aborted; the source is in charge') })
      await expectAllWrites()
    },
    90_000
  )

  // checks L20
  it('moves to the new container and finishes, and loses no write (deletes by comparisons)', async () => {
    const { journal, move } = await begin({})
    expect(await ask('switch', journal)).toMatchObject({ code: 0, stdout: IN_CHARGE('drives-2') })
    await writes(200)
    await application.stop()
    expect(await ask('compare', journal)).toMatchObject({ code: 0 })
    expect(await ask('finish', journal)).toMatchObject({ code: 0 })
    expect(await move).toMatchObject({ code: 0, stdout: expect.stringContaining('Finished; the target is in charge') })
    await expectAllWrites()
  }, 90_000)

  /** Starts the application and the move, and waits until the move follows changes. */
  async function begin(
    policy: object,
    options: readonly string[] = []
  ): Promise<{ readonly journal: string; readonly move: ReturnType<typeof runCommand> }> {
    await create('drives', { id: 'drives', partitionKey: { paths: ['/deviceId'], version: 2 }, ...policy })
    await create('drives-2', { id: 'drives-2', partitionKey: { paths: ['/partitionKey'], version: 2 }, ...policy })
    const files = { frozen: path('frozen'), moved: path('moved') }
    // without a pause, it would take the processor from the move, which is in the same process
    application = new MovingApplication(emulator, ['drives', 'drives-2'], PLAN, files, { pauseMs: 5 })
    await application.fill(300)
    application.start()
    const journal = path('moves/drives')
    const flip = `if [ "$KEYSTAMP_DIRECTION" = forward ]; then touch ${files.moved}; else rm ${files.moved}; fi`
    const args = [
      ...['rekey', '--from', `${emulator.endpoint}fleet/drives`, '--to', `${emulator.endpoint}fleet/drives-2`],
      ...['--plan', path('plan.json'), '--journal', journal, '--share-from', '100%', '--share-to', '100%', '--yes'],
      ...['--before', `touch ${files.frozen}`, '--after', `${flip}; rm ${files.frozen}`],
      ...['--canceled', `rm -f ${files.frozen}`, ...options]
    ]
    const move = runCommand(args, { signal: ending.signal, env: process.env })
    await phase(journal, 'follow')
    return { journal, move }
  }

  async function expectAllWrites(): Promise<void> {
    expect(application.refused).toStrictEqual([])
    expect(await application.read('new')).toStrictEqual(application.expected)
    expect(await application.read('old')).toStrictEqual(application.expected)
  }

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
  await expect.poll(() => statusOf(journal), { timeout: 20_000 }).toMatchObject({ phase: name })
}

function statusOf(journal: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(`${journal}/status.json`, 'utf8')) as Record<string, unknown>
  } catch {
    return undefined
  }
}
