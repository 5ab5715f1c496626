import { isKeystampError, type ErrorCode } from '@keystamp/core'
import { EXIT_CODES, type ExitCode } from './exit-codes.ts'
import { inOptionNames } from './in-option-names.ts'
import type { Dependencies } from './dependencies.ts'
import { UsageError } from './usage-error.ts'

/** Says in a sentence what went wrong, in the names of the command's options, and answers with the exit code for it. */
export function reportError(error: unknown, { stderr, signal }: Dependencies, optionNames: readonly string[] = []): ExitCode {
  // nobody listens any more
  if (isBrokenPipe(signal.reason) || isBrokenPipe(error)) return EXIT_CODES.ok
  if (signal.aborted) {
    stderr.write('keystamp: interrupted. No output file was put in place.\n')
    return EXIT_CODES.interrupted
  }
  stderr.write(`keystamp: ${inOptionNames(messageOf(error), optionNames)}\n`)
  return exitCodeOf(error)
}

/** What a command answers with that ended so. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return EXIT_CODES.usage
  return (isKeystampError(error) ? CODE_OF[error.code as ErrorCode] : undefined) ?? EXIT_CODES.failed
}

// everything else is failed work
const CODE_OF: Partial<Readonly<Record<ErrorCode, ExitCode>>> = {
  PLAN_INVALID: EXIT_CODES.usage,
  RANDOM_MISSING: EXIT_CODES.usage,
  PARTS_MISSING: EXIT_CODES.usage,
  KEYS_UNBOUNDED: EXIT_CODES.usage,
  HASH_INPUT_INVALID: EXIT_CODES.usage,
  OPTION_INVALID: EXIT_CODES.usage,
  COSMOS_UNAUTHORIZED: EXIT_CODES.usage,
  CONTAINER_MISSING: EXIT_CODES.usage,
  CONTAINER_MISMATCH: EXIT_CODES.usage,
  CONTAINER_RECREATED: EXIT_CODES.usage,
  CHECKPOINT_INVALID: EXIT_CODES.usage,
  CONFIG_INVALID: EXIT_CODES.usage,
  KAFKA_UNAUTHORIZED: EXIT_CODES.usage,
  TOPIC_MISSING: EXIT_CODES.usage,
  OFFSETS_LOST: EXIT_CODES.usage,
  PLAN_CHANGED: EXIT_CODES.usage,
  RECORD_REJECTED: EXIT_CODES.rejected,
  REJECTED_TOO_MANY: EXIT_CODES.rejected,
  TOLERANCE_EXCEEDED: EXIT_CODES.rejected,
  SHUTDOWN_TIMEOUT: EXIT_CODES.abandoned
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}
