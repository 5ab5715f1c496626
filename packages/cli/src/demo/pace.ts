/** Says how many records are due, so that so many come in a second however late it is asked. */
export interface Pace {
  /** How many are due now, since it was asked last. */
  readonly due: (nowMs: number) => number
  recordsPerSecond: number
}

/** What was missed in a stall of more than a second is not made up for. */
export function createPace(recordsPerSecond: number, startMs: number): Pace {
  let lastMs = startMs
  let owed = 0
  return {
    recordsPerSecond,
    due(nowMs: number) {
      owed += (Math.min(1000, nowMs - lastMs) / 1000) * this.recordsPerSecond
      lastMs = nowMs
      const whole = Math.floor(owed)
      owed -= whole
      return whole
    }
  }
}
