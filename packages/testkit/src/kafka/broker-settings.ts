/** Settings that all brokers of a cluster share. */
export interface Cluster {
  readonly id: string
  /** Number of brokers; each has a replica of every partition. */
  readonly size: number
  readonly controllerPort: number
}

/** Listeners and data folder of a broker. */
export interface BrokerLocation {
  readonly cluster: Cluster
  /** Node id; the first broker is the controller as well. */
  readonly node: number
  readonly folder: string
  readonly port: number
}

/** Content of `server.properties`: a broker that listens on the loopback only, starts fast, and needs little memory. */
export function brokerSettings(
  { cluster, node, folder, port }: BrokerLocation,
  properties: Readonly<Record<string, string>>
): string {
  const isController = node === 1
  const settings = {
    'process.roles': isController ? 'broker,controller' : 'broker',
    'node.id': String(node),
    'controller.quorum.voters': `1@127.0.0.1:${cluster.controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port}${isController ? controllerListener(cluster) : ''}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': `${folder}/data`,
    ...SMALL,
    ...EAGER,
    ...copied(cluster),
    ...properties
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/** Listener of a controller, in addition to its other listeners. */
export function controllerListener({ controllerPort }: Cluster): string {
  return `,CONTROLLER://127.0.0.1:${controllerPort}`
}

/** Replicates every topic to every broker, and keeps topics writable while one broker is missing. */
function copied({ size }: Cluster): Record<string, string> {
  const copies = String(size)
  const minimum = String(Math.max(1, size - 1))
  return {
    'default.replication.factor': copies,
    'min.insync.replicas': minimum,
    'offsets.topic.replication.factor': copies,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': minimum
  }
}

/** Logging of Kafka: warnings only, into a file. */
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
  'transaction.state.log.num.partitions': '4',
  'auto.create.topics.enable': 'false',
  'num.network.threads': '2',
  'num.io.threads': '4',
  'background.threads': '2',
  'log.cleaner.dedupe.buffer.size': '8388608'
}

// short intervals for everything that tests wait for: groups, sessions, compaction, retention, and the return of a
// killed broker
const EAGER = {
  'broker.heartbeat.interval.ms': '250',
  'broker.session.timeout.ms': '1500',
  'group.initial.rebalance.delay.ms': '0',
  'group.min.session.timeout.ms': '1000',
  'log.cleaner.backoff.ms': '200',
  'log.initial.task.delay.ms': '500',
  'log.retention.check.interval.ms': '1000',
  // records may carry timestamps of years ago; topics that are about retention set their own
  'log.retention.ms': '-1',
  'log.segment.delete.delay.ms': '100'
}
