import { createRandom } from '../sample/random.ts'

/** Draws from distributions, by a seeded source of uniform numbers. */
export interface Draws {
  /** Gamma variable with scale 1; its mean is `shape`. */
  readonly gamma: (shape: number) => number
}

export function createDraws(random: () => number): Draws {
  return { gamma: (shape) => drawGamma(shape, random) }
}

/**
 * Fills `into` with standard normal numbers. They are a part of a table that begins at a random place: a simulation needs
 * millions of them.
 */
export function drawNormals(random: () => number, into: Float64Array): void {
  normals ??= tableOfNormals()
  let from = Math.floor(random() * NORMALS)
  for (let filled = 0; filled < into.length; from = 0) {
    const length = Math.min(into.length - filled, NORMALS - from)
    into.set(normals.subarray(from, from + length), filled)
    filled += length
  }
}

/** Gamma variable with scale 1, from a normal number if the shape is large. */
export function gammaOf(shape: number, normal: number, random: () => number): number {
  return shape > LARGE_SHAPE ? largeGamma(shape, normal) : drawGamma(shape, random)
}

const NORMALS = 1 << 16
let normals: Float64Array | undefined

function tableOfNormals(): Float64Array {
  const random = createRandom(1)
  return Float64Array.from({ length: NORMALS }, () => drawNormal(random))
}

// Wilson and Hilferty for large shapes, else Marsaglia and Tsang
function drawGamma(shape: number, random: () => number): number {
  if (shape > LARGE_SHAPE) return largeGamma(shape, drawNormal(random))
  if (shape < 1) return shape <= 0 ? 0 : drawGamma(shape + 1, random) * random() ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = drawNormal(random)
    const root = 1 + c * x
    if (root <= 0) continue
    const v = root * root * root
    const u = random()
    const square = x * x
    if (u < 1 - 0.0331 * square * square || Math.log(u) < 0.5 * square + d * (1 - v + Math.log(v))) return d * v
  }
}

function largeGamma(shape: number, normal: number): number {
  const deviation = 1 / (3 * Math.sqrt(shape))
  const root = 1 - deviation * deviation + normal * deviation
  return root <= 0 ? 0 : shape * root * root * root
}

// Most draws are below the edge of a layer and need no logarithm.
function drawNormal(random: () => number): number {
  const side = 2 * random() - 1
  const layer = (random() * LAYERS) | 0
  const x = side * EDGES[layer]
  return Math.abs(x) < EDGES[layer + 1] ? x : drawAboveEdge(side, layer, random)
}

function drawAboveEdge(side: number, layer: number, random: () => number): number {
  if (layer === 0) return side < 0 ? -drawTail(random) : drawTail(random)
  const x = side * EDGES[layer]
  const upper = DENSITIES[layer + 1]
  const lower = DENSITIES[layer]
  return lower + random() * (upper - lower) < density(x) ? x : drawNormal(random)
}

function drawTail(random: () => number): number {
  for (;;) {
    const x = -Math.log(1 - random()) / LAST_EDGE
    const y = -Math.log(1 - random())
    if (2 * y > x * x) return LAST_EDGE + x
  }
}

/** From this shape on, the cube root of a gamma variable is close enough to normal. */
const LARGE_SHAPE = 20

/** The area under the density of the normal distribution is cut into layers of equal size (ziggurat method). */
const LAYERS = 128
/** The lowest layer has the tail beyond this number, too. */
const LAST_EDGE = 3.442619855899
const AREA_OF_LAYER = 9.91256303526217e-3
/** Width of each layer, from the lowest one; the last number is that above all layers. */
const EDGES = edgesOfLayers()
const DENSITIES = EDGES.map(density)

function edgesOfLayers(): Float64Array {
  const edges = new Float64Array(LAYERS + 1)
  edges[0] = AREA_OF_LAYER / density(LAST_EDGE)
  edges[1] = LAST_EDGE
  for (let layer = 2; layer < LAYERS; layer++) {
    const below = edges[layer - 1]
    edges[layer] = Math.sqrt(-2 * Math.log(AREA_OF_LAYER / below + density(below)))
  }
  return edges
}

/** Density of the normal distribution, as a part of its largest value. */
function density(x: number): number {
  return Math.exp(-0.5 * x * x)
}
