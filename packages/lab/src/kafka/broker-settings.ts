/** Where a broker listens and keeps its data. */
export interface BrokerPlace {
  readonly folder: string
  readonly port: number
  readonly controllerPort: number
}

/** The text of `server.properties`: one node, loopback only, quick to start, small. */
export function brokerSettings({ folder, port, controllerPort }: BrokerPlace, properties: Readonly<Record<string, string>>): string {
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': `${folder}/data`,
    ...SMALL,
    ...EAGER,
    ...properties
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/** What Kafka logs, and where: warnings only, into a file. */
export function logSettings(folder: string): string {
  return `Configuration:
  Appenders:
    File: { name: F, fileName: "${folder}/broker.log", PatternLayout: { pattern: "%d %p %c{1} %m%n" } }
  Loggers:
    Root: { level: warn, AppenderRef: [ { ref: F } ] }
`
}

const SMALL = {
  'num.partitions': '4',
  'offsets.topic.num.partitions': '4',
  'offsets.topic.replication.factor': '1',
  'transaction.state.log.num.partitions': '4',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'auto.create.topics.enable': 'false',
  'num.network.threads': '2',
  'num.io.threads': '4',
  'background.threads': '2',
  'log.cleaner.dedupe.buffer.size': '8388608'
}

// groups form at once, sessions may be short, compaction and retention look often, a broker that was killed is soon let in again:
// tests wait for all of them
const EAGER = {
  'broker.heartbeat.interval.ms': '250',
  'broker.session.timeout.ms': '1500',
  'group.initial.rebalance.delay.ms': '0',
  'group.min.session.timeout.ms': '1000',
  'log.cleaner.backoff.ms': '200',
  'log.initial.task.delay.ms': '500',
  'log.retention.check.interval.ms': '1000',
  'log.segment.delete.delay.ms': '100'
}
