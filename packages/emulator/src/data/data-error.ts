/** Why a data folder cannot be used: one sentence or two, with what to do. */
export class DataError extends Error {}

/** The error for a file with other bytes than were written. */
export function damaged(path: string, position: number, what: string, advice: string): DataError {
  return new DataError(`The data file ${path} is damaged at byte ${position}: ${what}. ${advice}`)
}

/** Advice for a damaged file that cannot be repaired. */
export const RESTORE = 'Restore the folder from a copy, or name an empty folder to begin again.'
