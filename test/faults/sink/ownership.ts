import type { Applied } from './applied-writes.ts'

/** An offset that a sink committed. */
export interface SinkCommit {
  readonly partition: number
  readonly offset: number
  /** Name of the sink; undefined if another program committed. */
  readonly by: string | undefined
  readonly hasLeft: boolean
  readonly atMs: number
}

/** Commits and claims of all partitions, in their order. */
export interface Ownership {
  /** Offset that was committed before this time; 0 if none was. */
  readonly committedBefore: (partition: number, ms: number) => number
  /** The last claim at this time. */
  readonly ownerAt: (partition: number, ms: number) => SinkCommit | undefined
  /** Whether another sink claimed the partition while this write was in flight. */
  readonly hasMovedUnder: (write: Applied) => boolean
}

/**
 * Derives from the commits which sink owned which partition at which time. A claim is the first commit of another sink,
 * or a commit of the same offset: an owner stores an offset twice only when it begins again, or if the answer to a
 * commit was lost.
 */
export function createOwnership(commits: readonly SinkCommit[]): Ownership {
  const byPartition = groupByPartition(commits)
  const claims = new Map(
    [...byPartition].map(([partition, all]) => [partition, all.filter((commit, at) => isClaim(commit, all[at - 1]))])
  )
  return {
    committedBefore: (partition, ms) => byPartition.get(partition)?.findLast(({ atMs }) => atMs < ms)?.offset ?? 0,
    ownerAt: (partition, ms) => claims.get(partition)?.findLast(({ atMs }) => atMs <= ms),
    hasMovedUnder: ({ partition, by, endMs, appliedMs }) =>
      claims.get(partition)?.some((claim) => claim.by !== by && claim.atMs > endMs && claim.atMs <= appliedMs) === true
  }
}

/** Whether another sink claimed, after `stoppedMs`, a partition that the sink `from` owned at that time. */
export function wasTaken(
  commits: readonly SinkCommit[],
  { from, stoppedMs }: { readonly from: string; readonly stoppedMs: number }
): boolean {
  const { ownerAt } = createOwnership(commits)
  return commits.some(
    ({ partition, by, atMs }) => atMs > stoppedMs && by !== from && ownerAt(partition, stoppedMs)?.by === from
  )
}

function isClaim({ by, offset, hasLeft }: SinkCommit, before: SinkCommit | undefined): boolean {
  return before === undefined || before.by !== by || (offset === before.offset && !hasLeft)
}

function groupByPartition(commits: readonly SinkCommit[]): ReadonlyMap<number, readonly SinkCommit[]> {
  const groups = new Map<number, SinkCommit[]>()
  for (const commit of commits) {
    const group = groups.get(commit.partition)
    if (group === undefined) groups.set(commit.partition, [commit])
    else group.push(commit)
  }
  return groups
}
