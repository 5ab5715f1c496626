import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RekeyGroup } from './rekey-process.ts'

/** Wait of a move in a test, so that one that stands still fails with the reason. */
export class Progress {
  /** Last answer to the step that is asked for. */
  answer: string | undefined
  readonly #journals: readonly string[]
  readonly #limitMs: number
  readonly #ended: AbortController = new AbortController()
  #what = 'the start'
  #sinceMs = Date.now()

  constructor(journals: readonly string[], limitMs: number) {
    this.#journals = journals
    this.#limitMs = limitMs
  }

  begin(what: string): void {
    this.#what = what
    this.#sinceMs = Date.now()
    this.answer = undefined
  }

  /** Throws if a process has ended, or if the test has. */
  check(group: Pick<RekeyGroup, 'throwIfEnded'>): void {
    this.#ended.signal.throwIfAborted()
    group.throwIfEnded()
  }

  /** Rejects after the limit, with what the move waits for. */
  limit(): Promise<never> {
    return new Promise((_, reject) => {
      const timer = setTimeout(() => reject(new Error(this.#describe())), this.#limitMs)
      this.#ended.signal.addEventListener('abort', () => clearTimeout(timer))
    })
  }

  stop(): void {
    this.#ended.abort(new Error('The test has ended.'))
  }

  #describe(): string {
    const seconds = ((Date.now() - this.#sinceMs) / 1000).toFixed(0)
    return [
      `The move is not done after ${this.#limitMs / 1000} s. It has waited ${seconds} s for ${this.#what}.`,
      ...(this.answer === undefined ? [] : [`Last answer: ${this.answer}`]),
      ...this.#journals.map((journal) => `${journal}: ${statusOf(journal)}`)
    ].join('\n')
  }
}

/** Phase, step, waits and conditions of the last status of a process. */
function statusOf(journal: string): string {
  try {
    const status = JSON.parse(readFileSync(join(journal, 'status.json'), 'utf8')) as Readonly<Record<string, unknown>>
    const shown = ['at', 'phase', 'step', 'stepAt', 'waits', 'gates', 'compared', 'rejected', 'stragglers', 'failure']
    return JSON.stringify(Object.fromEntries(shown.map((name) => [name, status[name]])))
  } catch (error) {
    return String(error)
  }
}
