/** RU that operations cost, by kind and size, learned from charges. */
export class Prices {
  readonly #known: Map<string, Float64Array> = new Map()

  /** RU that an operation of this kind and size will probably be charged. */
  estimate(kind: string, bytes: number): number {
    const learned = this.#known.get(kind)
    if (learned === undefined) return guess(bytes)
    const step = stepOf(bytes)
    return learned[step] > 0 ? learned[step] : (nearest(learned, step) ?? guess(bytes))
  }

  /** Learns from one charge. */
  learn(kind: string, bytes: number, chargeRu: number): void {
    let learned = this.#known.get(kind)
    if (learned === undefined) this.#known.set(kind, (learned = new Float64Array(STEPS)))
    const step = stepOf(bytes)
    learned[step] = learned[step] === 0 ? chargeRu : learned[step] + (chargeRu - learned[step]) * LEARNING_RATE
  }
}

// an existing document costs twice what a new one does: the mean has to follow a changing mixture within a few hundred operations
const LEARNING_RATE = 0.02
const STEPS = 64
const FIRST_BYTES = 64
const FIRST_DOUBLING = 6
const STEPS_PER_DOUBLING = 4

function stepOf(bytes: number): number {
  if (bytes <= FIRST_BYTES) return 0
  // bucket = power of two, split into quarters by the next two bits
  const doubling = 31 - Math.clz32(bytes)
  const step = (doubling - FIRST_DOUBLING) * STEPS_PER_DOUBLING + ((bytes >> (doubling - 2)) & 3)
  return step < STEPS ? step : STEPS - 1
}

/** Published price of a new document with a few indexed properties; used until the first answer. */
function guess(bytes: number): number {
  return 6 + Math.max(0, bytes / 1024 - 1) * 0.6
}

/** Scaled from the nearest known size. */
function nearest(learned: Float64Array, step: number): number | undefined {
  for (let distance = 1; distance < STEPS; distance++) {
    if (learned[step - distance] > 0) return learned[step - distance] * 2 ** Math.min(2, distance / STEPS_PER_DOUBLING / 2)
    if (learned[step + distance] > 0) return learned[step + distance]
  }
  return undefined
}
