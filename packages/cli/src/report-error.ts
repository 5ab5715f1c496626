import { type ErrorCode, isKeystampError } from '@keystamp/core'
import type { Dependencies } from './dependencies.ts'
import { EXIT_CODES, type ExitCode, UsageError } from './exit-codes.ts'

/** The command that has failed, for the sentences about it. */
export interface FailedCommand {
  readonly name?: string | undefined
  readonly optionNames?: readonly string[]
}

/** Prints an error as a sentence that names the options of the command, and gives the exit code. */
export function reportError(
  error: unknown,
  { stderr, signal }: Dependencies,
  { name, optionNames = [] }: FailedCommand = {}
): ExitCode {
  // the reader of the pipe has ended
  if (isBrokenPipe(signal.reason) || isBrokenPipe(error)) return EXIT_CODES.ok
  if (signal.aborted) {
    stderr.write(`keystamp: interrupted.${WITHOUT_RESULT[name ?? ''] ?? ''}\n`)
    return EXIT_CODES.interrupted
  }
  stderr.write(`keystamp: ${inOptionNames(messageOf(error), optionNames)}\n`)
  return exitCodeOf(error)
}

const NO_FILE = ' No output file was created or replaced.'

/** State after an interruption, by the name of the command. Commands that leave more say it themselves. */
const WITHOUT_RESULT: Readonly<Record<string, string>> = {
  stamp: NO_FILE,
  plan: NO_FILE,
  xray: NO_FILE,
  capacity: NO_FILE,
  verify: ' The comparison has no result, and nothing was written.',
  replay: ' Dead letters that were replayed are marked: run the same command again for the others.',
  rekey: ' The move has not begun, and nothing was written.'
}

/** The exit code for an error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return EXIT_CODES.usage
  return (isKeystampError(error) ? CODE_OF[error.code as ErrorCode] : undefined) ?? EXIT_CODES.failed
}

// codes that are not listed have the exit code `failed`
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
  DOCUMENTS_UNMATCHED: EXIT_CODES.usage,
  CHECKPOINT_INVALID: EXIT_CODES.usage,
  JOURNAL_INVALID: EXIT_CODES.usage,
  JOURNAL_IN_USE: EXIT_CODES.usage,
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

/**
 * Replaces the option names of the library in a sentence by those of the command line, if the command has the option:
 * `` `maxRejected` `` becomes `--max-rejected`, `` `form: "array"` `` becomes `--array`, `` `plan` `` becomes `--plan
 * or --from`, and `` `checkpoint: false` `` becomes `--no-checkpoint`.
 */
export function inOptionNames(sentence: string, names: readonly string[]): string {
  return sentence.replaceAll(
    /`([a-zA-Z]+)(?:: (?:"([^"`]+)"|(false)))?`/g,
    (quoted, name: string, value: string | undefined, no: string | undefined) => {
      if (name === 'form' && value !== undefined && names.includes(value)) return `--${value}`
      if (!names.includes(name)) return quoted
      if (name === 'plan' && names.includes('from')) return '--plan or --from'
      if (no !== undefined) return `--no-${toKebab(name)}`
      return `--${toKebab(name)}${value === undefined ? '' : ` ${/^[\w.:/]+$/.test(value) ? value : `'${value}'`}`}`
    }
  )
}

function toKebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
