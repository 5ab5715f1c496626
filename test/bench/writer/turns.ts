/** One way of doing the work, and what each of its rounds took. */
export interface Runner {
  readonly name: string
  /** Makes ready for a round; not measured. */
  readonly prepare?: () => Promise<unknown>
  readonly run: () => Promise<unknown>
}

export interface Taken {
  readonly name: string
  /** CPU of this process and time by the clock, a round. */
  readonly cpuMicros: readonly number[]
  readonly ms: readonly number[]
}

/** Runs all in turn, round after round, so that the noise of the machine falls on all alike; the first rounds only warm up. */
export async function takeTurns(runners: readonly Runner[], rounds: number, warmUp = 1): Promise<readonly Taken[]> {
  const taken = runners.map(({ name }) => ({ name, cpuMicros: [] as number[], ms: [] as number[] }))
  for (let round = -warmUp; round < rounds; round++) {
    for (const [index, { prepare, run }] of runners.entries()) {
      await prepare?.()
      const before = process.cpuUsage()
      const ms = await timeOf(run)
      const { user, system } = process.cpuUsage(before)
      if (round < 0) continue
      taken[index].cpuMicros.push(user + system)
      taken[index].ms.push(ms)
    }
  }
  return taken
}

/** How often the second goes into the first, round by round: the median. */
export function ratioOf(first: readonly number[], second: readonly number[]): number {
  return median(first.map((value, round) => value / second[round]))
}

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]
}
