import type { Command } from 'commander'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES_HELP, type ExitCode } from '../exit-codes.ts'
import type { PlanCommandOptions } from '../planner/plan-options.ts'

/** `keystamp plan`: which partition key, measured on a sample of the data. */
export function addPlan(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  program
    .command('plan')
    .description('Find the partition key that carries a load at the least price, measured on a sample of the data.')
    .argument('[files...]', 'records: lines of JSON, arrays, CSV, also compressed; - is standard input')
    .option('--workload <file>', 'what the sample does not say, as YAML or JSON (docs/workload.schema.json)')
    .option('--writes <rate>', 'writes at the peak, such as 5000/s or 10M/day')
    .option('--operation <name>', 'create, upsert, replace, patch or delete (default: upsert)')
    .option('--items <count>', 'documents in all, such as 50M')
    .option('--total <size>', 'data in all, such as 500GB')
    .option('--size <size>', 'size of a document (default: that of the sample)')
    .option('--ttl <time>', 'how long documents are kept, such as 7d, or never')
    .option('--growth <size/time>', 'new data, such as 2GB/day')
    .option('--time <field>', 'field with the time of a record')
    .option(
      '--query <filters @ rate>',
      "such as 'deviceId, at=day @ 20/s', or SQL with a rate; several times",
      collect,
      []
    )
    .option('--point-reads <rate>', 'reads by key and id')
    .option('--transaction <field>', 'records with an equal value belong together; several times', collect, [])
    .option('--changes <field>', 'field that changes during the life of a document; several times', collect, [])
    .option('--present-key <paths>', 'partition key of the container that exists, such as /date')
    .option('--field <name:values[:zipf]>', 'described field instead of a sample, such as deviceId:50000', collect, [])
    .option('--from-container <container>', 'draw documents of a container, as endpoint/database/container; read-only')
    .option('--read-limit <RU/s>', 'with --from-container: RU/s for the reads, on average (default: 400)')
    .option('--from-topic <topic>', 'read the last records of a topic: brokers/topic, or the configuration of a sink')
    .option('--since <time>', 'with --from-topic: only records of this last time, such as 1h')
    .option('--registry <url>', 'with --from-topic brokers/topic: the values have schemas of this registry')
    .option('--array', 'the input is a JSON array')
    .option('--pick <path>', 'read the array at this path inside of a document')
    .option('--csv', 'the input is CSV with a header line')
    .option(
      '--sample <n>',
      'draw this number of records at random (default: all; 10,000 of a container, 100,000 of a topic)'
    )
    .option('--seed <number>', 'seed of the random numbers (default: 1)')
    .option('--write <file>', 'write the key plan of the verdict to this file')
    .option('--check <file>', 'check this key plan: exit code 4 if it falls below --min-usable')
    .option(
      '--min-usable <share>',
      'with --check: share of the RU/s that must be usable, such as 0.9 or 90% (default: 90%)'
    )
    .option('--compare <file>', 'compare this key plan with the others; several times', collect, [])
    .option(
      '--measure',
      'load the sample into a local emulator under the best keys, and print predicted and measured figures'
    )
    .option('--measure-seconds <n>', 'with --measure: seconds of writes for each key, after 5 more (default: 20)')
    .option('--show-values', 'show the values of frequent keys, which may be personal data')
    .option('--json', 'print the report as JSON (docs/plan-report.schema.json)')
    .option('--html <file>', 'write the report as a page: one file that loads nothing')
    .option('--report <file>', 'print a report that --json has printed, instead of reading a sample')
    .option('-q, --quiet', 'no progress')
    .addHelpText('after', EXAMPLES + ENVIRONMENT + CODES + EXIT_CODES_HELP)
    .action(async (files: readonly string[], options: PlanCommandOptions) => {
      // the other commands do not need it
      const { planCommand } = await import('../planner/plan-command.ts')
      finish(await planCommand(files, options, dependencies))
    })
}

function collect(value: string, values: readonly string[]): readonly string[] {
  return [...values, value]
}

const EXAMPLES = `
Examples:
  $ keystamp plan drives.ndjson --writes 5000/s --ttl 7d --time at --query 'deviceId, at=day @ 20/s'
  $ keystamp plan drives.ndjson --writes 5000/s --query 'SELECT * FROM c WHERE c.deviceId = @d AND c.at > @t @ 20/s'
  $ keystamp plan --workload workload.yaml --write plan.json data/*.csv.gz
  $ keystamp plan --sample 100000 --writes 5000/s --ttl 7d drives.ndjson
  $ keystamp plan --from-container https://my-account.documents.azure.com/fleet/drives --writes 5000/s
  $ keystamp plan --from-topic localhost:9092/drives --since 1h --writes 5000/s
  $ keystamp plan --field deviceId:50000 --field fleetId:200:zipf1.0 --writes 5000/s
  $ keystamp plan drives.ndjson --writes 5000/s --ttl 7d --measure
  $ keystamp plan --report report.json --html report.html
  $ keystamp plan --check plan.json --min-usable 90% sample.ndjson
`

const ENVIRONMENT = `
Environment, for --from-container:
  COSMOS_CONNECTION_STRING  endpoint and key of the account: the container is
                            then named database/container
  COSMOS_KEY                the account key
`

const CODES = `
In addition to the exit codes below, 4 means that no key is possible or that --check has failed, and 5 that the sample does not suffice to tell.
`
