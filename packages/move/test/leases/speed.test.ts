import type { Clock } from '@keystamp/core/internal'
import { waitFor } from '@keystamp/core/internal'
import { expect, it } from 'vitest'
import type { MoveContainer } from '../../src/containers/move-container.ts'
import { createSimulatedWorld } from './simulated-world.ts'

const DOCUMENTS = 400
/** A process can write 50 documents in a second, and the container accepts 125. */
const PROCESS_MS = 20
const CONTAINER_MS = 8

it('several workers copy faster, until the throughput of the target is used, and share the budget', async () => {
  const seconds = new Map<number, number>()
  for (const workers of [1, 2, 4]) seconds.set(workers, await secondsOf(workers))

  const [one, two, four] = [1, 2, 4].map((workers) => DOCUMENTS / seconds.get(workers)!)
  expect(one).toBeGreaterThan(0.9 * (1000 / PROCESS_MS))
  expect(two).toBeGreaterThan(1.7 * one)
  expect(four).toBeGreaterThan(0.85 * (1000 / CONTAINER_MS))
})

/** Seconds until all documents are copied. */
async function secondsOf(workers: number): Promise<number> {
  const { containers, start, until, pass, clock } = createSimulatedWorld()
  const { forward: source, back: target } = containers
  const fill = (first: number, count: number): void => {
    for (let each = first; each < first + count; each++)
      source.apply({ key: [`pk-${each}`], id: 'a' }, { id: 'a', pk: `pk-${each}` })
  }
  fill(DOCUMENTS, RANGES * 8)
  for (let ranges = 1; ranges < RANGES; ranges *= 2) source.splitAll()
  const ofContainer = queue(clock, CONTAINER_MS)
  const moves = Array.from({ length: workers }, (_, each) => {
    const ofProcess = queue(clock, PROCESS_MS)
    const slowed = (container: MoveContainer): MoveContainer =>
      container.name === 'source'
        ? container
        : {
            ...container,
            write: async (write, fence) => {
              await ofProcess()
              await ofContainer()
              return container.write(write, fence)
            }
          }
    return start(`worker-${each}`, slowed).move
  })
  const isReady = (): boolean =>
    moves.every(({ held }) => held === RANGES / workers) && target.bodies().length === RANGES * 8
  await until(isReady)
  // a worker learns of the ranges of the others some moments later
  await pass(3000)
  expect(moves.map(({ part }) => part)).toStrictEqual(moves.map(() => 1 / workers))
  fill(0, DOCUMENTS)
  const fromMs = clock.now()
  while (target.bodies().length < DOCUMENTS + RANGES * 8) await pass(50)
  return (clock.now() - fromMs) / 1000
}

const RANGES = 8

/** Lets one call after another pass, each after some milliseconds. */
function queue(clock: Pick<Clock, 'now' | 'schedule'>, ms: number): () => Promise<void> {
  let freeMs = 0
  return async () => {
    const nowMs = clock.now()
    freeMs = Math.max(freeMs, nowMs) + ms
    await waitFor(freeMs - nowMs, clock)
  }
}
