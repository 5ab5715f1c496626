/** One of the implementations that a bench compares. */
export interface Contestant {
  readonly name: string
  /** Creates the input of `run`; not measured. */
  readonly prepare?: () => void
  /** Processes a whole set of records once. */
  readonly run: () => unknown
}

export interface Measured {
  readonly name: string
  /** Median of the nanoseconds per record. */
  readonly nanos: number
  /** Time of the first contestant divided by the time of this one: the median over the rounds. */
  readonly ratio: number
  /** Half the distance between the quartiles of that ratio, as a share of it. */
  readonly spread: number
}

export interface Effort {
  /** Records that one `run` processes. */
  readonly records: number
  /** How often `run` is called in a round. */
  readonly repeats?: number
  readonly rounds?: number
}

const WARM_UP = 3

/** Runs all contestants in turn, round after round, so that the noise of the machine affects all of them equally. */
export function measure(
  contestants: readonly Contestant[],
  { records, repeats = 1, rounds = 15 }: Effort
): readonly Measured[] {
  const samples: number[][] = contestants.map(() => [])
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [index, contestant] of contestants.entries()) {
      const nanos = timeOf(contestant, repeats) / records
      if (round >= 0) samples[index].push(nanos)
    }
  }
  return contestants.map(({ name }, index) => {
    const ratios = samples[index].map((nanos, round) => samples[0][round] / nanos)
    const ratio = quantile(ratios, 0.5)
    return {
      name,
      nanos: quantile(samples[index], 0.5),
      ratio,
      spread: (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / 2 / ratio
    }
  })
}

/** One line of a report: the time of a contestant, and its ratio to the first contestant. */
export function lineOf({ name, nanos, ratio, spread }: Measured): string {
  const shown = ratio >= 1 ? `${ratio.toFixed(2)}x faster` : `${(1 / ratio).toFixed(2)}x slower`
  return `  ${name.padEnd(56)} ${nanos.toFixed(nanos < 1000 ? 1 : 0).padStart(8)} ns   ${shown} ±${(spread * 100).toFixed(0)} %`
}

// CPU time and not the clock: the work of other programs on this machine must not count
function timeOf({ prepare, run }: Contestant, repeats: number): number {
  let micros = 0
  for (let repeat = 0; repeat < repeats; repeat++) {
    prepare?.()
    const before = process.cpuUsage()
    run()
    const spent = process.cpuUsage(before)
    micros += spent.user + spent.system
  }
  return (micros * 1000) / repeats
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]
}
