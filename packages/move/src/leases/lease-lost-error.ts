/** Another worker may have the lease now, or it was not renewed in time. */
export class LeaseLostError extends Error {
  constructor(id: string) {
    super(`The lease ${id} was lost.`)
    this.name = 'LeaseLostError'
  }
}

/** Resolves if the work fails only because a lease was lost. */
export async function unlessLost(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error
  }
}
