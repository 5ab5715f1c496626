import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, test } from 'vitest'
import { runCommand } from '../run-command.ts'
import { BAD_EVERY, FIRST_MS, isBad, letter, useReplayWorld } from './replay-world.ts'

const COMMAND = fileURLToPath(new URL('../../bin/keystamp.mjs', import.meta.url))
const LETTERS = 6000
/** The RU/s let a replay take seconds, on a fast machine, too. */
const PACED = { ruPerSecond: 12_000, throttle: true }

describe('keystamp replay, interrupted', () => {
  const { path, world, marks } = useReplayWorld()

  it('is resumed by the same command after it was killed: each dead letter is stored once, and is marked', async () => {
    const { config, documents, emulator } = await world(PACED)
    writeFileSync(path('dead.ndjson'), Array.from({ length: LETTERS }, (_, n) => letter(n)).join(''))
    const args = ['replay', '--config', config, '--journal', path('journal'), '--yes', '--quiet', path('dead.ndjson')]

    for (let kill = 0; kill < 2; kill++) {
      const begin = marks()
      expect(await endOf(spawnCommand(args), () => marks() > begin)).toBeNull()
    }
    // records without a device are rejected again, so they are not marked
    expect(await endOf(spawnCommand(args), () => false)).toBe(4)

    const good = LETTERS - LETTERS / BAD_EVERY
    const found = await documents()
    expect(new Map(found.map(({ id, n }) => [id, n]))).toEqual(
      new Map(Array.from({ length: LETTERS }, (_, n) => [`things-0-${n}`, n] as const).filter(([, n]) => !isBad(n)))
    )
    expect(found).toHaveLength(good)
    expect(marks()).toBeGreaterThanOrEqual(good)
    const before = emulator.operations().length
    const { stdout, code } = await runCommand([...args, '--json'])
    expect(code).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({
      read: LETTERS,
      replayedBefore: good,
      matched: { FIELD_MISSING: LETTERS / BAD_EVERY },
      result: { stored: 0, kept: 0, rejected: { FIELD_MISSING: LETTERS / BAD_EVERY }, open: 0 }
    })
    expect(emulator.operations()).toHaveLength(before)
  }, 120_000)

  it('ends at a signal with the outcomes of the records that it has sent, and is resumed by the same command', async () => {
    const { config, documents } = await world(PACED)
    const count = 4000
    writeFileSync(
      path('dead.ndjson'),
      Array.from({ length: count }, (_, n) => letter(n + 1, FIRST_MS, { device: 'd', n })).join('')
    )
    const args = ['replay', '--config', config, '--journal', path('journal'), '--yes', '--quiet', path('dead.ndjson')]

    expect(await endOf(spawnCommand(args), () => marks() > 0, 'SIGINT')).toBe(130)
    const stored = (await documents()).length
    expect(stored).toBeLessThan(count)
    // a clean end leaves no written record without its mark
    expect(marks()).toBe(stored)

    const { code, stdout } = await runCommand([...args, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ replayedBefore: stored, result: { stored: count - stored, kept: 0 } })
    expect(await documents()).toHaveLength(count)
  }, 60_000)

  test('ends at a signal while the account does not answer', async () => {
    const { config } = await world({}, 'id: { strategy: metadata }', 'http://127.0.0.1:1/')
    writeFileSync(path('dead.ndjson'), letter(1))
    const signal = AbortSignal.timeout(1500)
    const args = ['replay', '--config', config, '--journal', path('journal'), '--yes', path('dead.ndjson')]
    expect(await runCommand(args, { signal })).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('interrupted; 1 are left. Run the same command again') as string
    })
  })
})

function spawnCommand(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Sends a signal once `isEnough` returns true. Resolves with the exit code: null after a kill. */
async function endOf(
  child: ChildProcess,
  isEnough: () => boolean,
  signal: NodeJS.Signals = 'SIGKILL'
): Promise<number | null> {
  let isSent = false
  const watch = setInterval(() => {
    if (isSent || !isEnough()) return
    isSent = true
    child.kill(signal)
  }, 5)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(watch)
  return code
}
