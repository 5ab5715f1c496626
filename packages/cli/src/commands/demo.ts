import type { Command } from 'commander'
import { createDemoView } from '../demo/demo-view.ts'
import { EXIT_CODES, EXIT_CODES_HELP, type ExitCode } from '../exit-codes.ts'
import type { Dependencies } from '../dependencies.ts'
import { toCount } from '../to-count.ts'
import { UsageError } from '../usage-error.ts'
import { watchForKey } from '../demo/watch-for-key.ts'

const EXAMPLES = `
Examples:
  $ keystamp demo
  $ keystamp demo --keep

Environment:
  KEYSTAMP_KAFKA  host:port of a Kafka to use; without it the sinks read from
                  memory. In the repository of Keystamp the demo starts a
                  Kafka, for which it needs Java 17 and Maven.
`

interface DemoCommandOptions {
  readonly seconds: string
  readonly keep?: boolean
}

/** `keystamp demo`: the same telemetry under three keys, at work. */
export function addDemo(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  program
    .command('demo')
    .description('Show what a good and a bad key do to the same load: Kafka, sinks and a local Cosmos DB, all on this machine.')
    .option('--seconds <count>', 'how long the load goes on, at least 10', '25')
    .option('--keep', 'leave everything up at the end, until it is interrupted, and say how to look at it')
    .addHelpText('after', EXAMPLES + EXIT_CODES_HELP)
    .action(async (options: DemoCommandOptions) => {
      await demoCommand(options, dependencies)
      finish(EXIT_CODES.ok)
    })
}

async function demoCommand({ seconds, keep }: DemoCommandOptions, dependencies: Dependencies): Promise<void> {
  // loaded only here: no other command should pay for it
  const [{ runDemo }, { lastWords }, { keepUp }] = await Promise.all([
    import('../demo/run-demo.ts'),
    import('../demo/last-words.ts'),
    import('../demo/keep-up.ts')
  ])
  const { stdout, signal } = dependencies
  const count = toCount('--seconds', seconds)
  if (count < LEAST_SECONDS) throw new UsageError(`--seconds takes ${LEAST_SECONDS} at least: the first ones are for what has to warm up.`)
  const view = createDemoView(stdout)
  const key = watchForKey(dependencies.stdin, 'q', signal)
  try {
    await runDemo({
      seconds: count,
      view,
      dependencies,
      ended: key.pressed,
      beforeEnd: async (panels, where) => {
        for (const line of lastWords(panels)) view.say(line)
        if (keep === true && !signal.aborted) await keepUp(where, view.say, signal)
      }
    })
  } finally {
    key.stop()
  }
}

const LEAST_SECONDS = 10
