import type { Phase } from '../journal/journal.ts'
import { type MoveCommand, refusalOf } from './move-command.ts'
import type { TurnResult } from './turn.ts'

/** A step that a user asks for. */
export interface StepRequest {
  readonly command: MoveCommand
  readonly answer: (result: TurnResult) => void
}

/** The steps that users ask for, in order. */
export class StepRequests {
  readonly #waiting: StepRequest[] = []
  #end: Phase | undefined

  /** Resolves with the result of the step. */
  ask(command: MoveCommand): Promise<TurnResult> {
    return new Promise((answer) => {
      this.#waiting.push({ command, answer })
      if (this.#end !== undefined) this.end(this.#end)
    })
  }

  /** The next request, which the caller answers. */
  take(): StepRequest | undefined {
    return this.#waiting.shift()
  }

  /** The move has ended: no step is possible any more. */
  end(phase: Phase): void {
    this.#end = phase
    for (const { command, answer } of this.#waiting.splice(0))
      answer({ isDone: false, message: refusalOf(command, phase) ?? '' })
  }
}

/** Answers a request with the result of its step. Rejects if the step does. */
export async function answerRequest({ command, answer }: StepRequest, run: () => Promise<TurnResult>): Promise<void> {
  try {
    answer(await run())
  } catch (error) {
    // without an answer, the next process would begin the step again, at a moment that the user does not expect
    const reason = error instanceof Error ? error.message : String(error)
    answer({ isDone: false, message: `The process that runs the move ended before \`${command}\` was done: ${reason}` })
    throw error
  }
}
