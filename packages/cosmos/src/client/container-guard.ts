import type { Account } from './account.ts'
import type { ContainerDefinition } from './container.ts'
import { CosmosError } from './cosmos-error.ts'
import type { SystemClock } from '@keystamp/core/internal'

/**
 * Detects that the container was deleted and created again under the same name. The new container is empty: if a
 * writer continued, the new container would lack all documents from before; a reader would miss them.
 */
export interface ContainerGuard {
  /** Reads the container. Throws CONTAINER_RECREATED, CONTAINER_MISSING, or the failure of the read. */
  readonly check: () => Promise<void>
  /**
   * Called with the resource id of an answer. Returns true if it is the id of the container, and false if it is another
   * id or if reading the container failed. Returns a promise only if it has to read the container.
   */
  readonly confirm: (rid: string) => boolean | Promise<boolean>
  /**
   * Reads the container, and calls `onStop` if it is another container. Returns false in this case, and if the read
   * failed.
   */
  readonly stopIfRecreated: () => Promise<boolean>
  /** Starts to read the container in intervals, because a writer without requests gets no answers. */
  readonly follow: () => void
  readonly stop: () => void
}

export interface ContainerGuardOptions {
  readonly account: Pick<Account, 'refresh' | 'database' | 'container'>
  readonly definition: ContainerDefinition
  readonly everyMs: number
  readonly clock: Pick<SystemClock, 'scheduleIdly'>
  /** Sentences of the error: what ends, and what to do. Default: those of a writer. */
  readonly remedy?: string
  /** Called when it is another container. */
  readonly onStop: (error: Error) => void
}

const WRITER_REMEDY =
  'Nothing more is written. Restart to write into the new container; write the earlier records again from their source.'

export function createContainerGuard({
  account,
  definition,
  everyMs,
  clock,
  remedy = WRITER_REMEDY,
  onStop
}: ContainerGuardOptions): ContainerGuard {
  const known = new Set([definition.rid])
  let cancel: (() => void) | undefined
  let isStopped = false

  async function check(): Promise<void> {
    const { rid } = await account.refresh()
    if (rid === definition.rid) return
    throw new CosmosError(
      'CONTAINER_RECREATED',
      `The container "${account.database}/${account.container}" was deleted and created again (its resource id was ${definition.rid}, ` +
        `now it is ${rid}). All documents from before are gone. ${remedy}`
    )
  }

  async function stopIfRecreated(): Promise<boolean> {
    try {
      await check()
      return true
    } catch (error) {
      // the next write reports a container that cannot be read
      if (!isStopped && error instanceof CosmosError && error.code === 'CONTAINER_RECREATED') onStop(error)
      return false
    }
  }

  async function confirmNew(rid: string): Promise<boolean> {
    const isSame = await stopIfRecreated()
    // the same container: the id only has another spelling
    if (isSame) known.add(rid)
    return isSame
  }

  function follow(): void {
    cancel = clock.scheduleIdly(everyMs, () => {
      void stopIfRecreated().then(() => {
        if (!isStopped) follow()
        return undefined
      })
    })
  }

  return {
    check,
    stopIfRecreated,
    confirm: (rid) => known.has(rid) || confirmNew(rid),
    follow,
    stop: () => {
      isStopped = true
      cancel?.()
    }
  }
}
