import { KeystampError } from '@keystamp/core'
import type { ContainerRange } from '../account/container-range.ts'
import { CosmosError } from '../account/cosmos-error.ts'
import type { Clock } from '../governor/clock.ts'
import type { Lane } from '../lane/lane.ts'
import type { LaneCounts } from '../lane/lane-counts.ts'
import { Mover } from './mover.ts'
import type { Room } from './room.ts'
import type { RouteTable } from './route-table.ts'

export interface RelocationOptions {
  readonly table: RouteTable
  readonly room: Room
  /** Lanes whose ranges are no longer listed; one with requests out still counts their answers. */
  readonly retired: RetiredLane[]
  readonly clock: Clock
  readonly random: () => number
  readonly refreshRanges: () => Promise<readonly ContainerRange[]>
  readonly checkContainer: () => Promise<void>
  readonly onUnauthorized?: ((error: CosmosError) => boolean) | undefined
  readonly renewPurses: () => void
  readonly onLanes: (lanes: readonly Lane[]) => void
  readonly pump: (lane: Lane) => void
  readonly stop: (error: Error) => void
}

/** What is kept of a lane whose range was split or merged: its counters must not fall. */
export interface RetiredLane {
  readonly rangeId: string
  readonly counts: LaneCounts
}

/** Moves operations to the lanes of the ranges that took over, when ranges are split, merged, or of another container. */
export class Relocation {
  readonly #options: RelocationOptions
  readonly #mover: Mover

  constructor(options: RelocationOptions) {
    const { clock, random, refreshRanges, pump } = options
    this.#options = options
    this.#mover = new Mover({ clock, random, refreshRanges, apply: (ranges) => this.apply(ranges), wake: pump })
  }

  /** Takes a list of ranges. */
  apply(ranges: readonly ContainerRange[]): void {
    const { table, room, retired, renewPurses, onLanes, pump } = this.#options
    const gone = table.update(ranges)
    onLanes(table.lanes)
    room.setLanes(table.size)
    if (gone.length === 0) return
    for (const lane of gone) {
      lane.cancelWake?.()
      lane.cancelWake = undefined
      retired.push({ rangeId: lane.range.id, counts: lane.counts })
      this.#bequeath(lane)
    }
    renewPurses()
    for (const lane of table.lanes) pump(lane)
  }

  /** The service says that a lane's range is not where it was. */
  moved(lane: Lane, { isMoving, isNew }: { readonly isMoving: boolean; readonly isNew: boolean }): void {
    if (lane.isRetired) return
    if (isNew) void this.lookForContainer(lane, 1)
    this.#mover.follow(lane, isMoving)
  }

  /** The service does not know the container: `times` in a row. */
  async lookForContainer(lane: Lane, times: number): Promise<void> {
    try {
      await this.#options.checkContainer()
    } catch (error) {
      // a look that failed says nothing; the next answer asks for another
      if (error instanceof KeystampError && error.retriable) return
      if (error instanceof CosmosError && error.code === 'COSMOS_UNAUTHORIZED' && this.#options.onUnauthorized?.(error) === true) return
      return this.#options.stop(error as Error)
    }
    if (times > MOST_MISSING) {
      const message = 'Cosmos DB does not know the container when writing, though it lists it.'
      return this.#options.stop(new CosmosError('CONTAINER_MISSING', message))
    }
    // created anew: the ranges may have the same names and other bounds
    this.#mover.follow(lane, false)
  }

  /** A retired lane had its last answer: those that took over waited for it. */
  ended(lane: Lane): void {
    for (const heir of this.#options.table.lanes) if (heir.parents.includes(lane)) this.#options.pump(heir)
  }

  stop(): void {
    this.#mover.stop()
  }

  #bequeath(lane: Lane): void {
    const { table, room } = this.#options
    const isHurried = lane.isHurried
    for (const pending of lane.takeAll()) {
      const heir = table.laneOf(pending)
      room.move(pending.home!, heir, pending.bytes)
      pending.home = heir
      heir.push(pending)
      if (isHurried) heir.hurry()
    }
  }
}

const MOST_MISSING = 20
