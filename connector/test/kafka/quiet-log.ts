import type { Log } from '../../src/log.ts'

/** Says nothing. */
export const QUIET: Log = { info: () => {}, warn: () => {}, error: () => {} }
