/** Returns the error that a call throws or rejects with, or undefined if the call succeeds. */
export async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  return undefined
}
