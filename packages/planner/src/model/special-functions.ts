/** Natural logarithm of the gamma function, for positive numbers (Lanczos, about 14 digits). */
export function logGamma(x: number): number {
  let sum = 0.9999999999998099
  for (let index = 0; index < LANCZOS.length; index++) sum += LANCZOS[index] / (x + index)
  const base = x + 7 - 0.5
  return (x - 0.5) * Math.log(base) - base + LOG_SQRT_2PI + Math.log(sum)
}

const LOG_SQRT_2PI = 0.5 * Math.log(2 * Math.PI)
const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7
]

/** Regularized incomplete beta function: the probability that a beta variable is below `x`. */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** Probability of at least `hits` successes in `trials`, each with probability `p`. */
export function binomialTail(hits: number, trials: number, p: number): number {
  if (hits <= 0) return 1
  return hits > trials ? 0 : betaCdf(p, hits, trials - hits + 1)
}

/** Probability that a chi-square variable is above `x`. */
export function chiSquareTail(x: number, degrees: number): number {
  return x <= 0 ? 1 : 1 - gammaCdf(x / 2, degrees / 2)
}

/**
 * Smallest `x` between `low` and `high` at which a rising function reaches `target`: by bisection, and by the secant in
 * every other step.
 */
export function solveRising(rising: (x: number) => number, target: number, low: number, high: number): number {
  let [from, to] = [low, high]
  let [below, above] = [Number.NaN, Number.NaN]
  for (let step = 0; step < STEPS; step++) {
    const middle = from > 0 && to / from > 4 ? Math.sqrt(from * to) : (from + to) / 2
    const secant = from + ((to - from) * -below) / (above - below)
    // not at an end, where the function is known
    const at = step % 2 === 1 && secant > from && secant < to ? secant : middle
    const value = rising(at) - target
    if (Math.abs(value) <= Math.abs(target) * SOLVED) return at
    if (value < 0) [from, below] = [at, value]
    else [to, above] = [at, value]
  }
  return (from + to) / 2
}

const STEPS = 100
const SOLVED = 1e-13
const MAX_TERMS = 500
const TINY = 1e-300
const PRECISION = 1e-14

// continued fraction by the method of Lentz
function betaFraction(x: number, a: number, b: number): number {
  let c = 1
  let d = 1 / nonzero(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m <= MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / nonzero(1 + even * d)
    c = nonzero(1 + even / c)
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / nonzero(1 + odd * d)
    c = nonzero(1 + odd / c)
    result *= d * c
    if (Math.abs(d * c - 1) < PRECISION) break
  }
  return result
}

function nonzero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value
}

/** Regularized incomplete gamma function: the probability that a gamma variable of scale 1 is below `x`. */
export function gammaCdf(x: number, shape: number): number {
  if (x <= 0) return 0
  const front = Math.exp(shape * Math.log(x) - x - logGamma(shape))
  return x < shape + 1 ? front * gammaSeries(x, shape) : 1 - front * gammaFraction(x, shape)
}

function gammaSeries(x: number, shape: number): number {
  let term = 1 / shape
  let sum = term
  for (let n = 1; n < MAX_TERMS * 20 && term > sum * PRECISION; n++) {
    term *= x / (shape + n)
    sum += term
  }
  return sum
}

function gammaFraction(x: number, shape: number): number {
  let b = x + 1 - shape
  let c = 1 / TINY
  let d = 1 / nonzero(b)
  let result = d
  for (let n = 1; n < MAX_TERMS * 20; n++) {
    const a = -n * (n - shape)
    b += 2
    d = 1 / nonzero(a * d + b)
    c = nonzero(b + a / c)
    result *= d * c
    if (Math.abs(d * c - 1) < PRECISION) break
  }
  return result
}
