import type { Command } from 'commander'
import type { CapacityCommandOptions } from '../capacity/capacity-options.ts'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES, EXIT_CODES_HELP, type ExitCode } from '../exit-codes.ts'
import { createTextLayout } from '../terminal/text-layout.ts'

/** `keystamp capacity`: computes the effect of a raise, and the partitions and RU/s that data and load need. */
export function addCapacity(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  program
    .command('capacity')
    .description(
      'Compute how much usable throughput a change of the RU/s adds, and the steps to make all of it usable; or the physical partitions, RU/s and price for an amount of data and a load.'
    )
    .option('--partitions <count>', 'current number of physical partitions of the container')
    .option('--from <RU/s>', 'current RU/s of the container, such as 20000 or 20k')
    .option('--to <RU/s>', 'new RU/s')
    .option('--highest <RU/s>', 'highest RU/s that the container ever had (default: --from)')
    .option('--autoscale', 'all of these RU/s are autoscale maxima')
    .option('--gb <size>', 'amount of data without index: a number of GB, or a size such as 1.5TB')
    .option('--writes <rate>', 'new documents at the peak, such as 5000/s or 10M/day')
    .option('--size <size>', 'size of a document (default: 1KB)')
    .option('--indexed <count>', 'indexed values of a document (default: 10)')
    .option('--ttl <time>', 'time to live, such as 7d (default: documents are kept)')
    .option('--growth <size/time>', 'new data, such as 2GB/day, instead of --writes')
    .option(
      '--utilization <percent>',
      'mean load as a share of the peak, such as 40%; changes the price of autoscale and serverless'
    )
    .option('--regions <count>', 'regions of the account (default: 1)')
    .option('--multi-region-writes', 'the account writes in all regions')
    .option('--json', 'print the report as JSON (docs/capacity-report.schema.json)')
    .addHelpText('after', EXAMPLES + EXIT_CODES_HELP)
    .action(async (options: CapacityCommandOptions) => {
      // the other commands do not need it
      const [{ readQuestion }, { computeCapacity }, { describeCapacity }] = await Promise.all([
        import('../capacity/capacity-options.ts'),
        import('../capacity/capacity-report.ts'),
        import('../capacity/capacity-text.ts')
      ])
      const report = computeCapacity(readQuestion(options))
      dependencies.stdout.write(
        options.json === true
          ? `${JSON.stringify(report, withoutNoise, 2)}\n`
          : describeCapacity(report, createTextLayout(dependencies))
      )
      finish(EXIT_CODES.ok)
    })
}

/** Rounds numbers such as 19.200000000000003. */
function withoutNoise(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(12)) : value
}

const EXAMPLES = `
Examples:
  $ keystamp capacity --partitions 2 --from 20000 --to 30000
  $ keystamp capacity --writes 5000/s --size 1KB --ttl 7d
  $ keystamp capacity --gb 800 --growth 5GB/day --partitions 20
`
