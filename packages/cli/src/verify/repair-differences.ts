import type { Difference, RepairOutcome, Verification } from '@keystamp/move'
import { formatCount } from '@keystamp/planner'
import type { Dependencies } from '../dependencies.ts'
import { UsageError } from '../exit-codes.ts'
import { isConfirmed } from '../shared-options.ts'

/** Refuses `--repair` if its question could not be answered. */
export function checkCanAsk(yes: boolean, { stdin }: Pick<Dependencies, 'stdin'>): void {
  if (!yes && stdin.isTTY !== true)
    throw new UsageError('--repair asks before it writes, and standard input is no terminal: add --yes.')
}

/** Asks on the terminal whether to write. */
export function confirmRepair(
  differences: readonly Difference[],
  name: string,
  dependencies: Pick<Dependencies, 'stdin' | 'stderr' | 'signal'>
): Promise<boolean> {
  const deletes = differences.filter(({ kind }) => kind === 'extra' || kind === 'misplaced').length
  const question = `Repair ${plural(differences.length, 'difference')} in ${name}${deletes === 0 ? '' : `, and delete ${plural(deletes, 'document')} there`}?`
  return isConfirmed(question, dependencies)
}

/** Numbers of repairs by outcome, and the reasons of those that are impossible. */
export interface Repaired {
  readonly counts: Readonly<Record<RepairOutcome['kind'], number>>
  readonly reasons: ReadonlyMap<string, number>
  readonly isInterrupted: boolean
}

/** Repairs that are done at the same time. */
const PARALLEL = 16

/** Repairs all differences that were shown; an abort of the signal leaves the rest. */
export async function repairDifferences(
  differences: readonly Difference[],
  { repair }: Pick<Verification, 'repair'>,
  signal: AbortSignal
): Promise<Repaired> {
  const counts = { repaired: 0, changed: 0, impossible: 0 }
  const reasons = new Map<string, number>()
  const groups = byDocument(differences)
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < groups.length) {
      for (const difference of groups[next++]) {
        if (signal.aborted) return
        const outcome = await repair(difference).catch((error: unknown) => {
          if (!signal.aborted) throw error
        })
        if (outcome === undefined) return
        counts[outcome.kind]++
        if (outcome.kind === 'impossible') reasons.set(outcome.reason, (reasons.get(outcome.reason) ?? 0) + 1)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(PARALLEL, groups.length) }, worker))
  return { counts, reasons, isInterrupted: signal.aborted }
}

/** The differences of each document: a copy too many is deleted last, since the right copy must be there first. */
function byDocument(differences: readonly Difference[]): readonly (readonly Difference[])[] {
  const groups = new Map<string, Difference[]>()
  for (const difference of differences) {
    const group = groups.get(difference.document) ?? []
    groups.set(difference.document, group)
    if (difference.kind === 'extra') group.push(difference)
    else group.unshift(difference)
  }
  return [...groups.values()]
}

/** Sentences about the result, for standard error. */
export function describeRepaired({ counts, reasons, isInterrupted }: Repaired): string {
  const parts = [
    `${plural(counts.repaired, 'difference')} repaired`,
    ...(counts.changed === 0 ? [] : [`${formatCount(counts.changed)} not written, because the documents have changed`]),
    ...(counts.impossible === 0 ? [] : [`${formatCount(counts.impossible)} cannot be repaired`])
  ]
  const why = Array.from(reasons, ([reason, count]) => `keystamp: ${formatCount(count)} x ${reason}\n`).join('')
  const isAll = counts.changed + counts.impossible === 0 && !isInterrupted
  const again = isAll ? '' : ' Run the command again to see what is left.'
  return `keystamp: ${isInterrupted ? 'interrupted. ' : ''}${parts.join('; ')}.${again}\n${why}`
}

function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}
