import { type Amount, type Contestant, type ContestantOptions, startContestant } from './contestant.ts'
import type { Way } from './ways.ts'

export interface Entry {
  readonly name: string
  readonly way: Way
  /** Number of times that the contestant writes all records before anything is measured. */
  readonly warmUp: number
}

export interface Turns extends Omit<ContestantOptions, 'way'> {
  readonly entries: readonly Entry[]
  readonly rounds: number
  /** Amount to write in a round. Default: all records once. */
  readonly amount?: Amount
  /** Called before each round of a contestant; not measured. */
  readonly prepare?: (contestant: Contestant) => Promise<unknown>
}

/** Costs of a contestant for writing all records once: one value for each round. */
export interface Costs {
  readonly name: string
  readonly cpuMicros: readonly number[]
  readonly ms: readonly number[]
}

/**
 * Lets all contestants write in turn, round after round, so that the noise of the machine affects all of them equally.
 * While one of them writes, the others are idle.
 */
export async function takeTurns({ entries, rounds, amount = {}, prepare, ...work }: Turns): Promise<readonly Costs[]> {
  const taken = entries.map(({ name }) => ({ name, cpuMicros: [] as number[], ms: [] as number[] }))
  const contestants: Contestant[] = []
  try {
    for (const { way, warmUp } of entries) {
      const contestant = await startContestant({ ...work, way })
      contestants.push(contestant)
      await contestant.write({ times: warmUp })
    }
    // the first round is not measured, since the contestant that was warmed up first has been idle the longest by then
    for (let round = -1; round < rounds; round++) {
      for (const [index, contestant] of contestants.entries()) {
        await prepare?.(contestant)
        const { cpuMicros, ms } = await contestant.write(amount)
        if (round < 0) continue
        taken[index].cpuMicros.push(cpuMicros)
        taken[index].ms.push(ms)
      }
    }
  } finally {
    await Promise.all(contestants.map(({ stop }) => stop()))
  }
  return taken
}
