/** Draws from distributions, by a seeded source of uniform numbers. */
export interface Draws {
  readonly normal: () => number
  /** Gamma variable with scale 1; its mean is `shape`. */
  readonly gamma: (shape: number) => number
}

export function createDraws(random: () => number): Draws {
  let spare = Number.NaN
  return { normal, gamma }

  // polar method: two normal variables at a time
  function normal(): number {
    if (!Number.isNaN(spare)) {
      const kept = spare
      spare = Number.NaN
      return kept
    }
    for (;;) {
      const x = 2 * random() - 1
      const y = 2 * random() - 1
      const square = x * x + y * y
      if (square >= 1 || square === 0) continue
      const factor = Math.sqrt((-2 * Math.log(square)) / square)
      spare = y * factor
      return x * factor
    }
  }

  // Wilson and Hilferty for large shapes, else Marsaglia and Tsang
  function gamma(shape: number): number {
    if (shape > LARGE_SHAPE) return shape * Math.max(0, 1 - 1 / (9 * shape) + normal() / (3 * Math.sqrt(shape))) ** 3
    if (shape < 1) return shape <= 0 ? 0 : gamma(shape + 1) * random() ** (1 / shape)
    const d = shape - 1 / 3
    const c = 1 / Math.sqrt(9 * d)
    for (;;) {
      const x = normal()
      const v = (1 + c * x) ** 3
      if (v <= 0) continue
      const u = random()
      if (u < 1 - 0.0331 * x ** 4 || Math.log(u) < 0.5 * x * x + d * (1 - v + Math.log(v))) return d * v
    }
  }
}

const LARGE_SHAPE = 50
