import { join } from 'node:path'
import { type ErrorCode, isKeystampError, KeystampError } from '@keystamp/core'
import { isMoveBegun, openMove, type OpenMoveStatus, readMoveStatus, requestStep } from '@keystamp/move'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES, type ExitCode, UsageError } from '../exit-codes.ts'
import { createHooks } from './hooks.ts'
import { followedSinksIn, rememberedSinks, rememberSinks } from './followed-sinks.ts'
import { createSinkHooks } from './sink-hooks.ts'
import { createMoveView } from './move-view.ts'
import { createRejectedFile } from './rejected-file.ts'
import {
  journalOf,
  readRekeySettings,
  type RekeyOptions,
  type RekeySettings,
  startOptionsIn,
  type Step,
  STEPS
} from './rekey-options.ts'
import { prepareMove } from './prepare-move.ts'
import { serveStatus } from './status-server.ts'
import { statusText } from './status-text.ts'

/** Runs `keystamp rekey`. */
export async function rekeyCommand(
  step: string | undefined,
  options: RekeyOptions,
  dependencies: Dependencies
): Promise<ExitCode> {
  if (step === undefined) return runMove(options, dependencies)
  if (!isStep(step)) throw new UsageError(`keystamp rekey takes ${STEPS.join(', ')}, or no step, not "${step}".`)
  const takesSinks = step === 'switch' || step === 'back'
  const other = startOptionsIn(options).find((name) => !(takesSinks && SINK_OPTIONS.has(name)))
  if (other !== undefined)
    throw new UsageError(`keystamp rekey ${step} talks to the move in the folder of --journal: leave out ${other}.`)
  return step === 'status' ? showStatus(options, dependencies) : askFor(step, options, dependencies)
}

const SINK_OPTIONS: ReadonlySet<string> = new Set(['--sink', '--sink-name'])

function isStep(text: string): text is Step {
  return (STEPS as readonly string[]).includes(text)
}

async function runMove(options: RekeyOptions, dependencies: Dependencies): Promise<ExitCode> {
  const { env, signal, stderr } = dependencies
  const prepared = await readRekeySettings(options, env)
  const { journal, leases } = prepared.move
  if (options.dryRun === true || !(await isMoveBegun(journal, leases))) {
    const code = await prepareMove(prepared, options, dependencies)
    if (code !== undefined) return code
  }
  try {
    return await runPrepared(prepared, options, dependencies)
  } catch (error) {
    if (!signal.aborted) throw error
    const reason = error instanceof Error ? error.message : String(error)
    stderr.write(`keystamp: interrupted, and the last step failed: ${reason} ${CONTINUE}\n`)
    return EXIT_CODES.interrupted
  }
}

/** Runs a move that has begun, or whose check allows it to begin. */
async function runPrepared(
  { move: settings, hookTimeoutMs, port }: RekeySettings,
  options: RekeyOptions,
  dependencies: Dependencies
): Promise<ExitCode> {
  const { env, signal, stderr } = dependencies
  const { journal } = settings
  const view = createMoveView(options, dependencies)
  const { before, after, canceled } = options
  const onError = (error: unknown): void => view.warn(error instanceof Error ? error.message : String(error))
  const rejected = createRejectedFile({
    path: join(journal, 'rejected.ndjson'),
    showIds: options.showIds === true,
    onError
  })
  const hooks = createHooks({ before, after, canceled }, { journal, timeoutMs: hookTimeoutMs, env })
  const followed = followedSinksIn(options)
  // several machines would each have to know the sinks
  const sinks =
    settings.leases === undefined
      ? createSinkHooks({ journal, move: settings, runHook: hooks, env, onStep: view.step })
      : undefined
  // the process before may have stopped these sinks
  const known = followed ?? (await rememberedSinks(journal))
  if (known !== undefined) await sinks?.follow(known)
  const move = await openMove({
    ...settings,
    runHook: sinks?.runHook ?? hooks,
    onStep: view.step,
    onError,
    onRejected: rejected.add
  }).catch(async (error: unknown) => {
    await sinks?.close()
    throw error
  })
  if (followed !== undefined) await rememberSinks(journal, followed)
  const server = port === undefined ? undefined : await serveStatus(port, move.status)
  if (server !== undefined) stderr.write(`keystamp: status at ${server.address}\n`)
  const timer = setInterval(() => view.show(move.status()), 500)
  try {
    await move.run(signal).catch((error: unknown) => {
      throw signal.aborted ? error : stopped(error)
    })
    clearInterval(timer)
    view.end(move.status())
    if (!hasStopped(signal, move.status())) return EXIT_CODES.ok
    stderr.write(`keystamp: interrupted. ${CONTINUE}\n`)
    return EXIT_CODES.interrupted
  } finally {
    clearInterval(timer)
    await server?.close()
    await move.close()
    await rejected.close()
    await sinks?.close()
  }
}

/** The error that has ended a move which was running, with what to do. */
function stopped(error: unknown): unknown {
  if (!isKeystampError(error)) return error
  const { code, message } = error
  return new KeystampError(code as ErrorCode, `${message} ${REMEDIES[code] ?? CONTINUE}`, { cause: error })
}

/** Remedies for errors after which the same command does not continue the move. */
const REMEDIES: Readonly<Partial<Record<string, string>>> = {
  CONTAINER_RECREATED: 'The move cannot continue: begin another one with a new folder for --journal.',
  CONTAINER_MISSING:
    'If the container was deleted, the move cannot continue: begin another one with a new folder for --journal.'
}

const CONTINUE = 'The folder of --journal has the state of the move: start the same command again to continue it.'

function hasStopped(signal: AbortSignal, { phase }: OpenMoveStatus): boolean {
  return signal.aborted && phase !== 'finished' && phase !== 'aborted'
}

async function showStatus(options: RekeyOptions, dependencies: Dependencies): Promise<ExitCode> {
  const { stdout } = dependencies
  const { status, pid } = await readMoveStatus(journalOf(options))
  if (options.json === true) stdout.write(`${JSON.stringify({ ...status, pid: pid ?? null })}\n`)
  else
    stdout.write(
      status === undefined
        ? 'The move has not reported its status yet.\n'
        : statusText(status, pid, Date.now(), dependencies)
    )
  return EXIT_CODES.ok
}

/** Asks the process that runs the move for a step, and waits for its answer. */
async function askFor(
  command: Exclude<Step, 'status'>,
  options: RekeyOptions,
  { stdout, stderr, signal }: Dependencies
): Promise<ExitCode> {
  const journal = journalOf(options)
  const { status, pid: runs } = await readMoveStatus(journal)
  if (runs === undefined && (status?.phase === 'finished' || status?.phase === 'aborted')) {
    stdout.write(`The move has ended (${status.phase}). Nothing was changed.\n`)
    return EXIT_CODES.notMet
  }
  const followed = followedSinksIn(options)
  if (followed !== undefined) {
    if (status?.phase === 'switch' || status?.phase === 'back')
      throw new UsageError(`--sink is not possible during a switch: see keystamp rekey status.`)
    if (status !== undefined && status.ownRanges !== null)
      throw new UsageError('--sink is not possible for a move with --workers lease.')
    await rememberSinks(journal, followed)
  }
  let said: string | undefined
  const asked = requestStep(journal, command, {
    signal,
    onWait: (pid) => {
      const text =
        pid === undefined
          ? 'no process runs this move: start keystamp rekey with its options again, and this request continues.'
          : `waiting for process ${pid}.`
      if (text !== said) stderr.write(`keystamp: ${text}\n`)
      said = text
    }
  })
  try {
    const { isDone, message } = await asked
    stdout.write(`${message}\n`)
    return isDone ? EXIT_CODES.ok : EXIT_CODES.notMet
  } catch (error) {
    if (!signal.aborted) throw error
    stderr.write(
      `keystamp: interrupted. The request was taken back, unless \`${command}\` has begun: see keystamp rekey status.\n`
    )
    return EXIT_CODES.interrupted
  }
}
