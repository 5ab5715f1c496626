import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { useTemporaryFolder } from '../temporary-folder.ts'
import { useTargets } from './start-target.ts'

const COMMAND = fileURLToPath(new URL('../../bin/keystamp.mjs', import.meta.url))
const RECORDS = 9_000
const BAD_EVERY = 500

describe('a killed `keystamp load`', () => {
  const start = useTargets()
  const path = useTemporaryFolder()

  it('resumes at its checkpoint, loses and duplicates no record, and does not write completed records again', async () => {
    const { to, emulator, documents } = await start({ latencyMs: 5 })
    writeFileSync(path('in.ndjson'), lines())
    const args = argsFor(to)

    for (let kill = 0; kill < 2; kill++) {
      const begin = lineIn(path('in.ndjson.checkpoint'))
      expect(await endOf(spawnLoad(args), () => lineIn(path('in.ndjson.checkpoint')) > begin)).toBeNull()
    }
    expect(await endOf(spawnLoad(args), () => false)).toBe(0)

    const good = RECORDS - RECORDS / BAD_EVERY
    const found = await documents()
    expect(found).toHaveLength(good)
    expect(new Set(found.map(({ n }) => n)).size).toBe(good)
    const bad = readFileSync(path('bad.ndjson'), 'utf8').trim().split('\n')
    expect(new Set(bad.map((line) => (JSON.parse(line) as { line: number }).line)).size).toBe(RECORDS / BAD_EVERY)
    expect(bad).toHaveLength(RECORDS / BAD_EVERY)
    expect(emulator.operations().length).toBeLessThan(good * 1.5)
    expect(existsSync(path('in.ndjson.checkpoint'))).toBe(false)
  }, 120_000)

  it('can be repeated if it was killed after the first rejected record and before the first checkpoint', async () => {
    const { to, documents } = await start({ latencyMs: 5 })
    writeFileSync(path('in.ndjson'), lines())
    const hasRejected = () => (statSync(path('bad.ndjson'), { throwIfNoEntry: false })?.size ?? 0) > 0

    expect(await endOf(spawnLoad(argsFor(to)), hasRejected)).toBeNull()
    expect(await endOf(spawnLoad(argsFor(to)), () => false)).toBe(0)

    expect(await documents()).toHaveLength(RECORDS - RECORDS / BAD_EVERY)
    const bad = readFileSync(path('bad.ndjson'), 'utf8').trim().split('\n')
    expect(bad).toHaveLength(RECORDS / BAD_EVERY)
  }, 120_000)

  function argsFor(to: string): readonly string[] {
    const onError = `collect:${path('bad.ndjson')}`
    return ['load', '--from', 'deviceId,n', '--to', to, '--share', '12000', '--on-error', onError, path('in.ndjson')]
  }
})

function spawnLoad(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [COMMAND, ...args], {
    stdio: ['ignore', 'ignore', 'inherit']
  })
}

/** Kills the process once `isEnough` returns true. Resolves with the exit code: null after a kill. */
async function endOf(child: ChildProcess, isEnough: () => boolean): Promise<number | null> {
  const watch = setInterval(() => {
    if (isEnough()) child.kill('SIGKILL')
  }, 5)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(watch)
  return code
}

function lineIn(checkpoint: string): number {
  if (!existsSync(checkpoint)) return 0
  return (JSON.parse(readFileSync(checkpoint, 'utf8')) as { place: { line: number } }).place.line
}

function lines(): string {
  return Array.from({ length: RECORDS }, (_, n) =>
    n % BAD_EVERY === 0 ? `{"id":"bad${n}"}\n` : `${JSON.stringify({ id: `r${n}`, deviceId: `d${n % 50}`, n })}\n`
  ).join('')
}
