import {
  type OpenSinkSwitch,
  openSinkSwitch,
  readConfig,
  readRegularFile,
  type SinkSettings,
  type SwitchStep
} from '@keystamp/connector'
import { createPlan, type PlanDefinition } from '@keystamp/core'
import type { HookFacts, HookName, MoveContainerOptions, RunHook } from '@keystamp/move'
import { UsageError } from '../exit-codes.ts'
import { type FollowedSinks, rememberedSinks } from './followed-sinks.ts'

/** The move that the sinks have to follow. */
export interface FollowedMove {
  readonly from: Pick<MoveContainerOptions, 'endpoint' | 'database' | 'container'>
  readonly to: Pick<MoveContainerOptions, 'endpoint' | 'database' | 'container'>
  readonly plan: PlanDefinition
}

/** Hooks of a move that also switch the sinks that follow it. */
export interface SinkHooks {
  /** Opens these sinks, for all hooks from now on. */
  readonly follow: (sinks: FollowedSinks) => Promise<void>
  readonly runHook: RunHook
  readonly close: () => Promise<void>
}

export interface SinkHooksOptions {
  readonly journal: string
  readonly move: FollowedMove
  /** Hooks of the user. */
  readonly runHook: RunHook
  readonly env: Readonly<Record<string, string | undefined>>
  readonly onStep: (sentence: string) => void
}

/**
 * Creates hooks that switch the sinks which the folder of the journal names. Before the switch, their partitions stop
 * after the hook of the user; after it, they go on as the last step, since it cannot be called off.
 */
export function createSinkHooks({ journal, move, runHook, env, onStep }: SinkHooksOptions): SinkHooks {
  let opened: { readonly key: string; readonly sinks: OpenSinkSwitch } | undefined
  let said: string | undefined

  async function follow(sinks: FollowedSinks): Promise<void> {
    const key = JSON.stringify(sinks)
    if (opened?.key === key) return
    const settings = await readSink(sinks, move, env)
    await close()
    opened = { key, sinks: await openSinkSwitch(settings, { onStep: sayOnce }) }
  }

  function sayOnce(sentence: string): void {
    if (sentence !== said) onStep(`sinks: ${sentence}`)
    said = sentence
  }

  async function close(): Promise<void> {
    const before = opened
    opened = undefined
    await before?.sinks.close()
  }

  async function run(hook: HookName, facts: HookFacts, signal: AbortSignal | undefined): Promise<SwitchStep> {
    const to = facts.direction === 'forward' ? 'target' : 'source'
    // the other hooks are for the sinks that `before` has stopped
    const remembered = hook === 'before' ? await rememberedSinks(journal) : undefined
    if (remembered !== undefined) await follow(remembered)
    const steps = opened?.sinks.steps
    const done = await runHook(hook, facts, signal)
    if (steps === undefined) return done
    if (hook === 'canceled') return either(await steps.cancel(to), done)
    if (!done.isDone) return done
    return hook === 'before' ? steps.request(to, signal) : steps.complete(to)
  }

  return {
    follow,
    runHook: (hook, facts, signal) =>
      run(hook, facts, signal).catch((error: unknown): SwitchStep => ({
        isDone: false,
        reason: (error as Error).message
      })),
    close
  }
}

function either(first: SwitchStep, second: SwitchStep): SwitchStep {
  if (first.isDone) return second
  return second.isDone ? first : { isDone: false, reason: `${first.reason} ${second.reason}` }
}

/** Reads the one sink of the file that can follow the move. */
async function readSink(
  { file, name }: FollowedSinks,
  move: FollowedMove,
  env: Readonly<Record<string, string | undefined>>
): Promise<SinkSettings> {
  const { sinks } = await readConfig(file, { env, readFile: readRegularFile })
  const sink = chooseSink(sinks, file, name)
  const mistakes = mistakesOf(sink, move)
  if (mistakes.length > 0)
    throw new UsageError(`The sink ${sink.name} in ${file} cannot follow this move: ${mistakes.join('; ')}.`)
  return sink
}

function chooseSink(sinks: readonly SinkSettings[], file: string, name: string | undefined): SinkSettings {
  if (name !== undefined) {
    const sink = sinks.find((each) => each.name === name)
    if (sink?.move !== undefined) return sink
    const names = sinks.map((each) => each.name).join(', ')
    throw new UsageError(
      sink === undefined
        ? `--sink-name names the sink ${name}, but ${file} has these: ${names}.`
        : `The sink ${name} in ${file} has no \`move\`: it cannot follow a move.`
    )
  }
  const [sink, ...others] = sinks.filter((each) => each.move !== undefined)
  if (sink === undefined)
    throw new UsageError(
      `--sink names the configuration of a sink with \`move\`, but ${file} has no sink of that kind.`
    )
  if (others.length === 0) return sink
  const names = [sink, ...others].map((each) => each.name).join(', ')
  throw new UsageError(`${file} has several sinks with \`move\`: name one of them with --sink-name: ${names}.`)
}

function mistakesOf({ cosmos, move }: SinkSettings, { from, to, plan: moved }: FollowedMove): readonly string[] {
  const { account, database = cosmos.database, container, plan: next } = move!.to
  // a sink with `move` writes to one container
  const source = { endpoint: cosmos.endpoint, database: cosmos.database, container: cosmos.container as string }
  const target = { endpoint: account?.endpoint ?? cosmos.endpoint, database, container }
  const mistakes: string[] = []
  if (nameOf(source) !== nameOf(from)) mistakes.push('`cosmos` is not the container of --from')
  if (nameOf(target) !== nameOf(to)) mistakes.push('`move.to` is not the container of --to')
  if (createPlan(next).fingerprint !== createPlan(moved).fingerprint)
    mistakes.push('`move.to.plan` is not the plan of --plan')
  return mistakes
}

function nameOf({ endpoint, database, container }: FollowedMove['from']): string {
  return `${new URL(endpoint!).href} ${database} ${container}`
}
