import { waitFor } from '@keystamp/core/internal'
import type { HeldLease } from './held-lease.ts'
import type { MoveRecord } from './lease-documents.ts'
import { LeaseLostError } from './lease-lost-error.ts'
import type { Member } from './member.ts'

/** The ETags that this process has written: other processes ask for them. */
export class WrittenEtags {
  readonly #etags: Set<string> = new Set()

  add(etag: string | undefined): void {
    if (etag === undefined) return
    this.#etags.add(etag)
    if (this.#etags.size <= MAX_REMEMBERED) return
    const [oldest] = this.#etags
    this.#etags.delete(oldest)
  }

  has(etag: string): boolean {
    return this.#etags.has(etag)
  }
}

const MAX_REMEMBERED = 1_000_000

/** Asks all other workers that are alive which of some ETags they have written. Rejects if the lease is lost. */
export async function askForAuthors(
  etags: readonly string[],
  { lease, member }: { readonly lease: HeldLease<MoveRecord>; readonly member: Member },
  signal: AbortSignal
): Promise<ReadonlySet<string>> {
  const { clock, limits } = member.options
  const number = lease.document.asked.number + 1
  await lease.update({ asked: { number, etags } })
  for (;;) {
    if (lease.isLost) throw new LeaseLostError(lease.document.id)
    const answers = member.otherWorkers.map(({ answered }) => answered)
    if (answers.every((answer) => answer.number >= number)) {
      await lease.update({ asked: { number, etags: [] } })
      return new Set(answers.flatMap(({ own }) => own))
    }
    await waitFor(limits.pollMs, clock, signal)
  }
}
