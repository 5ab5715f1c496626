import type { Control } from '@keystamp/emulator'

/** Something that is done to the world: to a range, to the clock, to the container. */
export type Deed =
  | { readonly split: string }
  | { readonly merge: string }
  | { readonly advanceClockMs: number }
  | 'deleteContainer'
  | 'createContainer'

/** Objects that an action can use. */
export interface World {
  readonly emulator: Control
  readonly database: string
  readonly container: string
  readonly deleteContainer: () => Promise<void>
  readonly createContainer: () => Promise<void>
}

/** Does one after another; `first child` is the first range that the split before left behind. */
export async function doAll(deeds: readonly Deed[], world: World): Promise<void> {
  const { emulator, database, container } = world
  let child = ''
  for (const deed of deeds) {
    if (deed === 'deleteContainer' || deed === 'createContainer') {
      await world[deed]()
    } else if ('advanceClockMs' in deed) emulator.clock.advance(deed.advanceClockMs)
    else if ('merge' in deed) await emulator.merge(database, container, deed.merge)
    else {
      const range = deed.split === 'first child' ? child : deed.split
      const children = await emulator.split(database, container, range)
      child = children[0]
    }
  }
}
