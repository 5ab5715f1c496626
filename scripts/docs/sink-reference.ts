import { markdownTable } from './markdown-table.ts'

interface Reference {
  readonly sections: readonly {
    readonly key: string
    readonly says: string
    readonly rows: readonly {
      readonly key: string
      readonly type: string
      readonly usual: string
      readonly says: string
    }[]
  }[]
  readonly rules: readonly { readonly at: string; readonly demands: string }[]
  readonly eventHubs: Readonly<Record<string, string | boolean>>
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
}

interface Metric {
  readonly name: string
  readonly type: string
  readonly labels: readonly string[]
  readonly help: string
}

interface Connector {
  readonly configReference: () => Reference
  readonly configJsonSchema: () => object
  readonly metricsReference: () => readonly Metric[]
}

// The connector is not a dependency of the workspace. A specifier in a variable is resolved at run time, by the export
// condition of these scripts.
const CONNECTOR = '@keystamp/connector'

/** Every key of a configuration, and its JSON Schema. */
export async function sinkPages(): Promise<{ path: string; text: string }[]> {
  const { configReference, configJsonSchema, metricsReference } = (await import(CONNECTOR)) as Connector
  return [
    { path: 'docs/sink-reference.md', text: page(configReference(), metricsReference()) },
    { path: 'docs/sink.schema.json', text: JSON.stringify(configJsonSchema()) }
  ]
}

function page({ sections, rules, eventHubs, renamed }: Reference, metrics: readonly Metric[]): string {
  return `# Configuration of the sink

<!-- Made by npm run docs from the schema in the code. -->

Every key of the file that \`keystamp sink --config\` reads, YAML or JSON, and every [metric](#metrics).
[The sink](sink.md) explains their use.
[sink.schema.json](sink.schema.json) lets editors complete and check the keys: write \`# yaml-language-server: $schema=...\` into the first line.

- Durations and sizes have a unit: \`250ms\`, \`30s\`, \`5m\`, \`12h\`, \`30d\`; \`512B\`, \`64KiB\`, \`16MiB\`, \`1GiB\`.
- Every string can hold references: \`\${env:NAME}\` is replaced by an environment variable, \`\${file:path}\` by the content of a file. A relative path starts at the folder of the configuration.
  \`\${env:NAME:-default}\` has a default. \`$\${env:NAME}\` gives the text \`\${env:NAME}\` itself.
- Environment variables override the file: \`kafka.sessionTimeout\` is \`KEYSTAMP_SINK_KAFKA_SESSION_TIMEOUT\`. The entries of a list are separated by commas; a mapping is written as
  \`{ a: b }\`. With several sinks, \`KEYSTAMP_SINK_STALL_TIMEOUT\` sets the key in all sinks, and \`KEYSTAMP_SINK_DRIVES_STALL_TIMEOUT\` only in the sink named \`drives\`.
- Unknown keys, unknown variables and duplicate keys are errors. All errors are reported at once, with line and column.

${sections.map(section).join('\n')}
## Rules between keys

${markdownTable(
  ['Key', 'Rule'],
  rules.map(({ at, demands }) => [`\`${at}\``, `${demands}.`])
)}
## Event Hubs

If \`kafka.brokers\` names a host of \`*.servicebus.windows.net:9093\`, these keys under \`kafka\` have other defaults:

${markdownTable(
  ['Key', 'Default'],
  Object.entries(eventHubs).map(([key, usual]) => [`\`${key}\``, `\`${String(usual)}\``])
)}
## Former names

These former names, and the environment variables that belong to them, are accepted until version 1.0, with a warning at the start.
\`keystamp sink --migrate-config --config sink.yaml\` prints a file with the current names.

${markdownTable(
  ['Former name', 'Current name'],
  renamed.map(({ from, to }) => [`\`${from}\``, `\`${to}\``])
)}
## Metrics

\`/metrics\` serves the metrics of this table, and the [default metrics](https://github.com/siimon/prom-client#default-metrics) of prom-client for the process:

${markdownTable(
  ['Metric', 'Type', 'Labels', 'Description'],
  metrics.map(({ name, type, labels, help }) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
    help
  ])
)}`
}

function section({ key, says, rows }: Reference['sections'][number]): string {
  const title = key === '' ? 'Top level' : `\`${key}\``
  return `## ${title}\n\n${says}\n\n${markdownTable(
    ['Key', 'Type', 'Default', 'Description'],
    rows.map((row) => [`\`${row.key}\``, row.type, row.usual, row.says])
  )}`
}
