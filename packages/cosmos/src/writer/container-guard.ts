import type { Account } from '../client/account.ts'
import type { ContainerDefinition } from '../client/container.ts'
import { CosmosError } from '../client/cosmos-error.ts'
import type { SystemClock } from '@keystamp/core/internal'

/**
 * Detects that the container was deleted and created again under the same name. The new container is empty: if the
 * writer continued, the new container would lack all documents from before.
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
   * Reads the container, and stops the writer if it is another container. Returns false in this case, and if the read
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
  /** Called when the writer has to stop. */
  readonly onStop: (error: Error) => void
}

export function createContainerGuard({
  account,
  definition,
  everyMs,
  clock,
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
        `now it is ${rid}). All documents from before are gone, and nothing more is written. Restart to write into the new container; ` +
        'write the earlier records again from their source.'
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
