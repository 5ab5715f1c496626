import { once } from 'node:events'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../run-command.ts'
import { useTemporaryFolder } from '../temporary-folder.ts'
import { createMoveContainers, LeaseWorkers } from './lease-workers.ts'
import { MovingApplication } from './moving-application.ts'

const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/id' }] } as const

describe('keystamp rekey --workers lease', () => {
  const path = useTemporaryFolder()
  let workers: LeaseWorkers
  let emulator: Emulator
  let application: MovingApplication

  beforeEach(async () => {
    emulator = await startEmulator({ ranges: 4 })
    await createMoveContainers(emulator)
  })

  afterEach(async () => {
    workers.stop()
    await application.stop()
    await emulator.stop()
  })

  // checks L22
  it('divides the ranges between two processes in both directions, and goes on when one stands still and the other is killed', async () => {
    const files = { frozen: path('frozen'), moved: path('moved') }
    workers = new LeaseWorkers({ emulator, path, plan: PLAN, files })
    application = new MovingApplication(emulator, ['drives', 'drives-2'], PLAN, files)
    await application.fill(300)
    application.start()
    const [one, other] = [workers.start('one'), workers.start('other')]
    await expect.poll(() => ownRanges('one', 'other'), { timeout: 60_000 }).toStrictEqual([2, 2])

    const exit = once(one, 'exit')
    one.kill('SIGSTOP')
    await expect.poll(() => workers.ranges('other'), { timeout: 30_000 }).toBe(4)
    one.kill('SIGCONT')
    await expect.poll(() => ownRanges('one', 'other'), { timeout: 30_000 }).toStrictEqual([2, 2])
    other.kill('SIGKILL')
    await expect.poll(() => workers.ranges('one'), { timeout: 30_000 }).toBe(4)

    expect(await ask('switch', path('one'))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^fleet\/drives-2 at .* is in charge now\.\n$/)
    })
    const third = workers.start('third')
    const thirdExit = once(third, 'exit')
    await expect.poll(() => ownRanges('one', 'third'), { timeout: 60_000 }).toStrictEqual([2, 2])
    await application.fill(20)
    await application.stop()
    expect(await ask('compare', path('one'))).toMatchObject({ code: 0 })
    expect(workers.statusOf('one')).toMatchObject({ phase: 'reverse', stragglers: 0 })
    expect(await ask('finish', path('one'))).toMatchObject({ code: 0 })
    expect(await Promise.all([exit, thirdExit])).toStrictEqual([
      [0, null],
      [0, null]
    ])

    expect(application.refused).toStrictEqual([])
    expect(await application.read('new')).toStrictEqual(application.expected)
    expect(await application.read('old')).toStrictEqual(application.expected)
  }, 180_000)

  function ownRanges(...names: readonly string[]): readonly unknown[] {
    return names.map((name) => workers.ranges(name))
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
