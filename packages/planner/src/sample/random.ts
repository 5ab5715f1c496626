/** Creates a seeded generator of numbers from 0 to below 1. Equal seeds give equal numbers. */
export function createRandom(seed: number): () => number {
  let a = Math.trunc(seed) | 0
  let b = Math.floor(seed / 0x1_0000_0000) | 0
  let c = 0x9e3779b9 | 0
  let counter = 1
  // sfc32; the first numbers are discarded, because they depend on the seed in a simple way
  // all state stays in 32 bits: V8 would allocate memory for a larger number
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 0x1_0000_0000
  }
  for (let warm = 0; warm < 16; warm++) next()
  return next
}
