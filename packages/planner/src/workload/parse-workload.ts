import { KeystampError } from '@keystamp/core'
import type { QueryLoad, Workload } from './workload.ts'

/** Mistake of a workload. */
export interface WorkloadMistake {
  /** JSON pointer into the workload, or the name of the option. */
  readonly path: string
  readonly message: string
}

/** Error for an invalid workload, with all its mistakes. */
export class WorkloadError extends KeystampError {
  readonly mistakes: readonly WorkloadMistake[]

  constructor(mistakes: readonly WorkloadMistake[]) {
    super('OPTION_INVALID', mistakes.map(({ path, message }) => `${path} ${message}`).join('\n'))
    this.name = 'WorkloadError'
    this.mistakes = mistakes
  }
}

/** Filters of a query that was written in SQL; or one sentence why it cannot be read. */
export type SqlReader = (sql: string) => Pick<QueryLoad, 'equal' | 'between' | 'byId'> | string

export interface WorkloadOptions {
  /** Reads queries in SQL; without it they are a mistake. */
  readonly readSql?: SqlReader | undefined
  /** Name of a property in messages, such as `--writes` for `writes`; its JSON pointer if missing. */
  readonly nameOf?: ((property: string) => string) | undefined
}

/** Reads a workload from an object with texts such as `5000/s`. Throws a WorkloadError that names every mistake. */
export function parseWorkload(value: unknown, options?: WorkloadOptions): Workload {
  throw new WorkloadError([{ path: String(value), message: `not written yet ${typeof options}` }])
}
