import { ServiceError } from './service-error.ts'

/** The query engine, as the handlers see it. */
export interface Querier {
  readonly meets: (condition: string, document: unknown) => boolean
}

/** A querier that refuses. */
export function createQuerier(): Querier {
  return {
    meets: () => {
      throw new ServiceError(501, 'Queries are not supported yet.')
    }
  }
}
