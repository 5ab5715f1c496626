/** Closes one thing after the other; what one of them throws keeps none of the others open. */
export async function closeInOrder(works: readonly (() => Promise<void> | undefined)[], onTrouble: (error: Error) => void): Promise<void> {
  for (const work of works) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- in this order
      await work()
    } catch (error) {
      onTrouble(error as Error)
    }
  }
}
