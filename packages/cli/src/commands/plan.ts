import type { Command } from 'commander'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES_HELP, type ExitCode } from '../exit-codes.ts'
import type { PlanCommandOptions } from '../planner/plan-options.ts'

/** `keystamp plan`: finds the cheapest partition key for a load, measured on a sample of the data. */
export function addPlan(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  program
    .command('plan')
    .description('Find the cheapest partition key for a load, measured on a sample of the data.')
    .argument('[files...]', 'records: lines of JSON, arrays, CSV, also compressed; - is standard input')
    .option('--workload <file>', 'facts that the sample does not contain, as YAML or JSON (docs/workload.schema.json)')
    .option('--writes <rate>', 'writes at the peak, such as 5000/s or 10M/day')
    .option('--operation <name>', 'create, upsert, replace, patch or delete (default: upsert)')
    .option('--items <count>', 'total number of documents, such as 50M')
    .option('--total <size>', 'total size of the documents, such as 500GB')
    .option('--size <size>', 'size of a document (default: mean size in the sample)')
    .option('--ttl <time>', 'time to live of the documents, such as 7d, or never')
    .option('--growth <size/time>', 'new data, such as 2GB/day')
    .option('--time <field>', 'field that contains the time of a record')
    .option(
      '--query <filters @ rate>',
      "a query, such as 'deviceId, at=day @ 20/s', or SQL with a rate; repeatable",
      collect,
      []
    )
    .option(
      '--log-export <file>',
      'export of CDBQueryRuntimeStatistics or CDBPartitionKeyRUConsumption, CSV or JSON; repeatable',
      collect,
      []
    )
    .option('--point-reads <rate>', 'point reads (by key and id), such as 300/s')
    .option(
      '--transaction <field>',
      'records with the same value of this field form a transaction; repeatable',
      collect,
      []
    )
    .option('--changes <field>', 'field that changes during the life of a document; repeatable', collect, [])
    .option('--present-key <paths>', 'partition key of the existing container, such as /date')
    .option(
      '--field <name:values[:zipf]>',
      'describe a field instead of giving a sample, such as deviceId:50000; repeatable',
      collect,
      []
    )
    .option('--from-container <container>', 'read random documents of a container: endpoint/database/container')
    .option('--read-limit <RU/s>', 'with --from-container: RU/s for the reads, on average (default: 400)')
    .option('--from-topic <topic>', 'read the last records of a topic: brokers/topic, or the configuration of a sink')
    .option('--since <time>', 'with --from-topic: only records that are not older than this, such as 1h')
    .option('--registry <url>', 'with --from-topic brokers/topic: schema registry of the values')
    .option('--array', 'the input is a JSON array')
    .option('--pick <path>', 'read the array at this path inside a document')
    .option('--csv', 'the input is CSV with a header line')
    .option(
      '--sample <n>',
      'number of random records to read (default: all records of files, 10,000 of a container, 100,000 of a topic)'
    )
    .option('--seed <number>', 'seed of the random numbers (default: 1)')
    .option('--write <file>', 'write the key plan of the verdict to this file')
    .option('--check <file>', 'check this key plan: exit code 4 if its usable share is below --min-usable')
    .option(
      '--min-usable <share>',
      'with --check: required usable share of the RU/s, such as 0.9 or 90% (default: 90%)'
    )
    .option('--compare <file>', 'compare this key plan with the other candidates; repeatable', collect, [])
    .option(
      '--measure',
      'write the sample to a local emulator under the best keys, and print predicted and measured figures'
    )
    .option(
      '--measure-seconds <n>',
      'with --measure: seconds of counted writes for each key, after up to 5 seconds of warm-up (default: 20)'
    )
    .option('--show-values', 'show the values of frequent keys instead of hashes; they may be personal data')
    .option('--json', 'print the report as JSON (docs/plan-report.schema.json)')
    .option('--html <file>', 'write the report as one HTML file that needs no network')
    .option('--report <file>', 'print a saved report (the output of --json) instead of reading a sample')
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
Environment variables, for --from-container:
  COSMOS_CONNECTION_STRING  endpoint and key of the account: --from-container is
                            then database/container
  COSMOS_KEY                the account key
`

const CODES = `
In addition to the exit codes below:
  4    no key is possible, or --check has failed
  5    the sample or the workload is not sufficient for an answer
`
