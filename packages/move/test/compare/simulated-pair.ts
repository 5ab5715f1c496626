import { createRandom, type Random, VirtualClock } from '@keystamp/testkit'
import { chooseMatching } from '../../src/compare/choose-matching.ts'
import { compareContainers, type CompareOptions, type Comparison } from '../../src/compare/compare-containers.ts'
import { recheck } from '../../src/compare/recheck.ts'
import type { DocumentMapper } from '../../src/documents/document-mapper.ts'
import type { Identity } from '../../src/documents/identity.ts'
import { SimulatedContainer } from '../simulation/simulated-container.ts'
import type { Body } from '../simulation/simulated-document.ts'
import { createSimulatedMapper } from '../simulation/simulated-mapper.ts'

export interface PairOptions {
  readonly seed: number
  /** Undefined: the target has the same key, and no plan. */
  readonly basis?: DocumentMapper['basis'] | undefined
  readonly maxLatencyMs?: number
  readonly maxBehind?: number
  readonly maxBehindMs?: number
}

/** Two containers in virtual time, of which the second one has copies of the documents of the first one. */
export interface SimulatedPair {
  readonly random: Random
  readonly clock: VirtualClock
  readonly source: SimulatedContainer
  readonly target: SimulatedContainer
  /** Place of the copy of a document. */
  readonly placeOf: (body: Body) => Identity
  readonly copyOf: (body: Body) => Body
  readonly compare: (options?: Partial<CompareOptions> & { readonly by?: readonly string[] }) => Promise<Comparison>
  readonly recheck: (
    differences: Comparison['differences'],
    inCharge: 'source' | 'target'
  ) => Promise<Comparison['differences']>
}

export function createPair({
  seed,
  basis,
  maxLatencyMs = 5,
  maxBehind = 0,
  maxBehindMs = 0
}: PairOptions): SimulatedPair {
  const random = createRandom(seed)
  const clock = new VirtualClock()
  const common = { hasPreviousImages: false, lostShare: 0, maxBehind, maxBehindMs, maxLatencyMs }
  const source = new SimulatedContainer(clock, random, { name: 'source', keyPath: '/pk', ...common })
  const targetKey = basis === undefined ? 'pk' : 'key'
  const target = new SimulatedContainer(clock, random, { name: 'target', keyPath: `/${targetKey}`, ...common })
  const mapper = basis === undefined ? undefined : createSimulatedMapper(basis)

  const keyOf = (body: Body): string => {
    if (basis === undefined) return String(body['pk'])
    return basis === 'identity' ? `${String(body['pk'])}-${body.id}` : String(body['group'])
  }
  return {
    random,
    clock,
    source,
    target,
    placeOf: (body) => ({ key: [keyOf(body)], id: body.id }),
    copyOf: (body) => (basis === undefined ? body : { ...body, key: keyOf(body) }),
    compare: (options) => run(compareContainers(optionsOf(options))),
    recheck: (differences, inCharge) => run(recheck(differences, inCharge, optionsOf()))
  }

  function optionsOf({ by, ...options }: Parameters<SimulatedPair['compare']>[0] = {}): CompareOptions {
    const ignore = mapper === undefined ? [] : ['/key']
    const [a, b] = [source, target].map((container) => container.open(() => true))
    const definitions = { source: a.definition, target: b.definition }
    const { matching } = chooseMatching({ ...definitions, mapper, by, ignore, wallMs: clock.now })
    return {
      source: a,
      target: b,
      matching,
      ignore,
      ignoresTtl: mapper !== undefined,
      clock,
      wallMs: clock.now,
      limits: { maxRequests: 3, maxItems: 1 + random.below(20), maxReads: 4 },
      ...options
    }
  }

  async function run<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    work.catch(() => {}).finally(() => (isOver = true))
    await clock.runUntil(() => isOver, clock.now() + 1e7)
    return work
  }
}
