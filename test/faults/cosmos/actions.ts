import type { Control } from '@keystamp/emulator'

/** A change of the emulator: of a range, of the clock, or of the container. */
export type Action =
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

/** Runs the actions one after another; `first child` is the first new range of the previous split. */
export async function doAll(actions: readonly Action[], world: World): Promise<void> {
  const { emulator, database, container } = world
  let child = ''
  for (const action of actions) {
    if (action === 'deleteContainer' || action === 'createContainer') {
      await world[action]()
    } else if ('advanceClockMs' in action) emulator.clock.advance(action.advanceClockMs)
    else if ('merge' in action) await emulator.merge(database, container, action.merge)
    else {
      const range = action.split === 'first child' ? child : action.split
      const children = await emulator.split(database, container, range)
      child = children[0]
    }
  }
}
