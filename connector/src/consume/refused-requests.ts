import type { AuthGrace } from '../lifecycle/auth-grace.ts'
import type { KafkaTrouble } from './kafka-trouble.ts'

/**
 * Counts requests that Kafka refuses, for the grace period. A connection from before still answers, whatever a new one is told:
 * so a refusal ends when the same request is answered, or with a join.
 */
export class RefusedRequests {
  readonly #auth: AuthGrace | undefined
  readonly #refused: Set<string> = new Set()

  constructor(auth: AuthGrace | undefined) {
    this.#auth = auth
  }

  /** Whether waiting can help: refused credentials that were accepted before may be rotated at this moment. */
  passes({ passes, isUnauthorized }: KafkaTrouble, request: string): boolean {
    if (!isUnauthorized || this.#auth === undefined) return passes
    this.#refused.add(request)
    return this.#auth.refused('Kafka') || passes
  }

  /** Asks; an answer ends the refusal of this request. */
  async ask<Answer>(request: string, send: () => Promise<Answer>): Promise<Answer> {
    const answer = await send()
    if (this.#refused.delete(request) && this.#refused.size === 0) this.#auth?.accepted('Kafka')
    return answer
  }

  joined(): void {
    this.#refused.clear()
    this.#auth?.accepted('Kafka')
  }
}
