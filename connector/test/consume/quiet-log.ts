import type { Log } from '../../src/surroundings.ts'

/** Says nothing. */
export const QUIET: Log = { info: () => {}, warn: () => {}, error: () => {} }
