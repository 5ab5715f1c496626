import { markdownTable } from './markdown-table.ts'

interface Reference {
  readonly sections: readonly {
    readonly key: string
    readonly says: string
    readonly rows: readonly { readonly key: string; readonly type: string; readonly usual: string; readonly says: string }[]
  }[]
  readonly rules: readonly { readonly at: string; readonly demands: string }[]
  readonly eventHubs: Readonly<Record<string, string | boolean>>
}

interface Connector {
  readonly configReference: () => Reference
  readonly configJsonSchema: () => object
}

// no dependency of the workspace: named as a text, it is resolved by the condition that these scripts run under
const CONNECTOR = '@keystamp/connector'

/** Every key of a configuration, and its JSON Schema. */
export async function sinkPages(): Promise<{ path: string; text: string }[]> {
  const { configReference, configJsonSchema } = (await import(CONNECTOR)) as Connector
  return [
    { path: 'docs/sink-reference.md', text: page(configReference()) },
    { path: 'docs/sink.schema.json', text: JSON.stringify(configJsonSchema()) }
  ]
}

function page({ sections, rules, eventHubs }: Reference): string {
  return `# Configuration of the sink

<!-- Made by npm run docs from the schema in the code. -->

Every key of the file that \`keystamp sink --config\` reads, YAML or JSON. [The sink](sink.md) says what they are for, and
[sink.schema.json](sink.schema.json) tells editors: write \`# yaml-language-server: $schema=...\` into the first line.

- Durations and sizes have a unit: \`250ms\`, \`30s\`, \`5m\`, \`12h\`, \`30d\`; \`512B\`, \`64KiB\`, \`16MiB\`, \`1GiB\`.
- Any text can hold references: \`\${env:NAME}\` takes a variable of the environment, \`\${file:path}\` the content of a file, relative to the configuration.
  \`\${env:NAME:-usual}\` has a default. \`$\${env:NAME}\` is the text itself.
- The environment wins over the file: \`kafka.sessionTimeout\` is \`KEYSTAMP_SINK_KAFKA_SESSION_TIMEOUT\`. Lists are written with commas, what has keys of its own as
  \`{ a: b }\`. Of several sinks, \`KEYSTAMP_SINK_STALL\` is for all, and \`KEYSTAMP_SINK_DRIVES_STALL\` for the one named \`drives\`.
- An unknown key or variable is a mistake, and so is a key that stands there twice. All mistakes are named at once, with line and column.

${sections.map(section).join('\n')}
## What has to agree

${markdownTable(
  ['Key', 'Demand'],
  rules.map(({ at, demands }) => [`\`${at}\``, `${demands}.`])
)}
## Event Hubs

Where \`kafka.brokers\` name a host of \`*.servicebus.windows.net:9093\`, these defaults under \`kafka\` are others:

${markdownTable(
  ['Key', 'Default'],
  Object.entries(eventHubs).map(([key, usual]) => [`\`${key}\``, `\`${String(usual)}\``])
)}`
}

function section({ key, says, rows }: Reference['sections'][number]): string {
  const title = key === '' ? 'At the top' : `\`${key}\``
  return `## ${title}\n\n${says}\n\n${markdownTable(
    ['Key', 'Type', 'Default', 'What it is'],
    rows.map((row) => [`\`${row.key}\``, row.type, row.usual, row.says])
  )}`
}
