/** A lease as one worker sees it. */
export interface LeaseView {
  readonly id: string
  /** Worker with a lease that may be valid; undefined: anybody may take it. */
  readonly owner: string | undefined
  readonly claimedBy: string | null
}

/** A range, as far as it decides how much throughput its copy needs. */
export interface RangeLoad {
  readonly isOwn: boolean
  /** Whether the range was read to its end once: then only its changes are copied. */
  readonly isCopied: boolean
}

/**
 * Part of the shares of a move that one of its workers may use, so that all workers together use no more than the
 * shares. A range that is not copied yet counts more than one whose changes are followed. Pure.
 */
export function partOf(ranges: readonly RangeLoad[]): number {
  const sum = (loads: readonly RangeLoad[]): number =>
    loads.reduce((total, { isCopied }) => total + (isCopied ? 1 : UNCOPIED), 0)
  const own = sum(ranges.filter(({ isOwn }) => isOwn))
  // a worker without ranges may compare the containers
  return Math.min(1, Math.max(1, own) / Math.max(1, sum(ranges)))
}

const UNCOPIED = 8

export interface BalanceFacts {
  readonly name: string
  readonly leases: readonly LeaseView[]
  /** Workers that are alive, with this one. */
  readonly workers: readonly string[]
}

export interface Balance {
  /** Leases to take now. */
  readonly take: readonly string[]
  /** Lease whose owner is asked to release it: at most one at a time. */
  readonly claim: string | undefined
}

/** Number of leases that each worker should hold at most. */
export function shareOf(leases: number, workers: number): number {
  return Math.ceil(leases / Math.max(1, workers))
}

/** The next steps of a worker, so that all workers hold about as many leases. Pure. */
export function balance({ name, leases, workers }: BalanceFacts): Balance {
  const mine = leases.filter(({ owner }) => owner === name).length
  const missing = shareOf(leases.length, workers.length) - mine
  const free = leases.filter(({ owner }) => owner === undefined)
  // neighbors begin at different leases
  const first = free.length === 0 ? 0 : workers.toSorted().indexOf(name) * Math.ceil(free.length / workers.length)
  const ordered = [...free.slice(first), ...free.slice(0, first)]
  const take = ordered.slice(0, Math.max(0, missing)).map(({ id }) => id)
  const isWaiting = leases.some(({ claimedBy, owner }) => claimedBy === name && owner !== name)
  const claim = missing > 0 && free.length === 0 && !isWaiting ? claimOf(leases, name, mine) : undefined
  return { take, claim }
}

/** A lease of the worker that has the most, if it has at least two more. */
function claimOf(leases: readonly LeaseView[], name: string, mine: number): string | undefined {
  const counts = new Map<string, number>()
  for (const { owner } of leases) if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  counts.delete(name)
  const [richest] = [...counts].toSorted(([, one], [, other]) => other - one)
  if (richest === undefined || richest[1] < mine + 2) return undefined
  return leases.find(({ owner, claimedBy }) => owner === richest[0] && claimedBy === null)?.id
}
