import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createRandom } from '@keystamp/testkit'
import { expect, test } from 'vitest'
import { openFileTargetIndex } from '../../src/target-index/file-target-index.ts'

const CHILD = fileURLToPath(new URL('index-child.mjs', import.meta.url))
const RUNS = 20

/** Changes that a process printed before it was killed. */
interface Changes {
  readonly added: Set<number>
  readonly removing: Set<number>
  readonly removed: Set<number>
}

async function runUntilKilled(folder: string, first: number, ms: number): Promise<Changes> {
  const child = spawn(process.execPath, [CHILD, folder, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  const closed = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), closed])
  await delay(ms)
  child.kill('SIGKILL')
  expect((await closed)[1]).toBe('SIGKILL')
  const numbersOf = (word: string): Set<number> =>
    new Set(Array.from(output.matchAll(new RegExp(`^${word} (\\d+)\\n`, 'gm')), ([, digits]) => Number(digits)))
  return { added: numbersOf('added'), removing: numbersOf('removing'), removed: numbersOf('removed') }
}

test('an index whose process is killed has every acknowledged change', { timeout: 180_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-index-'))
  const random = createRandom(5)
  const runs: Changes[] = []
  for (let run = 0; run < RUNS; run++) {
    runs.push(await runUntilKilled(folder, run * 10_000_000, 10 + random.below(150)))
    const index = openFileTargetIndex(folder, { segmentBytes: 50_000 })
    for (const { added, removing, removed } of runs) {
      for (const number of added) {
        if (removing.has(number) && !removed.has(number)) continue
        const id = `id-${number}`
        const expected = removed.has(number) ? [] : [{ id, key: [`to-${number}`] }]
        expect(await index.find({ id, key: [number] })).toEqual(expected)
      }
    }
    await index.close()
  }
  expect(runs.every(({ added }) => added.size > 0)).toBe(true)
  expect(runs.reduce((sum, { removed }) => sum + removed.size, 0)).toBeGreaterThan(1000)
  await rm(folder, { recursive: true })
})
