import { DATABASE, TOPIC } from './demo-world.ts'
import { DEMO_KEYS } from './demo-keys.ts'

/** The configuration of the demo's sinks, as a user would write it; `--keep` shows it. */
export function demoConfig({
  brokers,
  endpoint,
  key
}: {
  readonly brokers: string
  readonly endpoint: string
  readonly key: string
}): string {
  const sinks = DEMO_KEYS.map(({ name, plan }) => ({
    name,
    kafka: { brokers: [brokers], topics: [TOPIC], maxBytesPerPartition: '256KiB' },
    cosmos: { endpoint, key, database: DATABASE, container: name },
    plan,
    // the demo ends in the middle of things: there is nothing to wait for
    maxInFlightBytes: '2MiB',
    shutdownTimeout: '1s'
  }))
  return JSON.stringify({ sinks, onSinkFailure: 'exit', http: { host: '127.0.0.1', port: 0 }, log: { level: 'silent' } }, undefined, 2)
}
