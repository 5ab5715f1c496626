import type { Log } from '../../src/log.ts'

/** Log without output. */
export const QUIET: Log = { info: () => {}, warn: () => {}, error: () => {} }
