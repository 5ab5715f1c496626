import { openSinkSwitch, readConfig, readRegularFile, type SinkSettings, type SwitchStep } from '@keystamp/connector'
import { createPlan, type PlanDefinition } from '@keystamp/core'
import type { HookFacts, HookName, MoveContainerOptions, RunHook } from '@keystamp/move'
import { UsageError } from '../exit-codes.ts'

/** The move that the sinks have to follow. */
export interface FollowedMove {
  readonly from: Pick<MoveContainerOptions, 'endpoint' | 'database' | 'container'>
  readonly to: Pick<MoveContainerOptions, 'endpoint' | 'database' | 'container'>
  readonly plan: PlanDefinition
}

/** Hooks of a move that also switch the sinks of one consumer group. */
export interface SinkHooks {
  readonly runHook: RunHook
  readonly close: () => Promise<void>
}

/**
 * Opens the sinks that a configuration file describes. Before the switch, their partitions stop after the hook of the
 * user; after it, they go on as the last step, since it cannot be called off.
 */
export async function openSinkHooks(
  file: string,
  {
    move,
    runHook,
    env,
    onStep
  }: {
    readonly move: FollowedMove
    readonly runHook: RunHook
    readonly env: Readonly<Record<string, string | undefined>>
    readonly onStep: (sentence: string) => void
  }
): Promise<SinkHooks> {
  const sink = await readSink(file, move, env)
  let said: string | undefined
  const { steps, close } = await openSinkSwitch(sink, {
    onStep: (sentence) => {
      if (sentence !== said) onStep(`sinks: ${sentence}`)
      said = sentence
    }
  })

  async function run(hook: HookName, facts: HookFacts, signal: AbortSignal | undefined): Promise<SwitchStep> {
    const to = facts.direction === 'forward' ? 'target' : 'source'
    const done = await runHook(hook, facts, signal)
    if (hook === 'canceled') return either(await steps.cancel(to), done)
    if (!done.isDone) return done
    return hook === 'before' ? steps.request(to, signal) : steps.complete(to)
  }

  return {
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
  file: string,
  move: FollowedMove,
  env: Readonly<Record<string, string | undefined>>
): Promise<SinkSettings> {
  const { sinks } = await readConfig(file, { env, readFile: readRegularFile })
  const [sink, another] = sinks.filter((each) => each.move !== undefined)
  if (sink === undefined || another !== undefined) {
    const found = another === undefined ? 'no sink' : 'more than one sink'
    throw new UsageError(
      `--sink names the configuration of one sink with \`move\`, but ${file} has ${found} of that kind.`
    )
  }
  const mistakes = mistakesOf(sink, move)
  if (mistakes.length > 0) throw new UsageError(`The sink in ${file} cannot follow this move: ${mistakes.join('; ')}.`)
  return sink
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
