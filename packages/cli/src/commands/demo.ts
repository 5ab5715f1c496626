import type { Command } from 'commander'
import { EXIT_CODES, EXIT_CODES_HELP, type ExitCode, UsageError } from '../exit-codes.ts'
import type { Dependencies } from '../dependencies.ts'
import { toCount } from '../shared-options.ts'

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

/** Adds `keystamp demo`, which shows the same load with three keys. */
export function addDemo(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  program
    .command('demo')
    .description(
      'Compare a bad and a good key under the same load: Kafka, sinks and a local Cosmos DB, all on this machine.'
    )
    .option('--seconds <count>', 'duration of the load, at least 10', '25')
    .option('--keep', 'keep everything running at the end until it is interrupted, and print how to inspect it')
    .addHelpText('after', EXAMPLES + EXIT_CODES_HELP)
    .action(async (options: DemoCommandOptions) => {
      await demoCommand(options, dependencies)
      finish(EXIT_CODES.ok)
    })
}

async function demoCommand({ seconds, keep }: DemoCommandOptions, dependencies: Dependencies): Promise<void> {
  // loaded here, since the other commands do not need these
  const [{ runDemo }, { createDemoView, describeDemo, keepRunning, watchForKey }] = await Promise.all([
    import('../demo/run-demo.ts'),
    import('../demo/demo-view.ts')
  ])
  const { stdout, signal } = dependencies
  const count = toCount('--seconds', seconds)
  if (count < MIN_SECONDS)
    throw new UsageError(`--seconds must be at least ${MIN_SECONDS}: the first seconds are warm-up.`)
  const view = createDemoView(stdout)
  const key = watchForKey(dependencies.stdin, 'q', signal)
  try {
    await runDemo({
      seconds: count,
      view,
      dependencies,
      ended: key.pressed,
      beforeEnd: async (panels, addresses) => {
        for (const line of describeDemo(panels)) view.say(line)
        if (keep === true && !signal.aborted) await keepRunning(addresses, view.say, signal)
      }
    })
  } finally {
    key.stop()
  }
}

const MIN_SECONDS = 10
