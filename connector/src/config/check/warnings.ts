import { createPlan } from '@keystamp/core'
import type { SinkSettings } from '../settings.ts'

/** What works, but not as somebody may expect; a sentence each. */
export function warningsOf(sink: SinkSettings): readonly string[] {
  const { kafka, cosmos, registry, key, value, write, rejects, plan } = sink
  const found =
    plan === undefined ? [] : createPlan(plan, { random: () => 0 }).warnings.map(({ path, message }) => `plan${path}: ${message}`)
  if (kafka.tls === false && kafka.sasl?.mechanism === 'plain' && !kafka.brokers.every(isLoopback)) {
    found.push('kafka.tls is false, and kafka.sasl sends a password: whoever listens on the network can read it.')
  }
  if (registry !== undefined && key.format !== 'registry' && value.format !== 'registry') {
    found.push('registry is never asked: neither key nor value has the format registry.')
  }
  if (
    write.strategy === 'patch' &&
    [write.patch!.operation, ...[...write.patch!.members.values()].map((member) => member.operation)].includes('increment')
  ) {
    found.push('write.patch increments: a record that is read again after a failure is added a second time.')
  }
  if (rejects.policy === 'skip') found.push('rejects.policy is skip: rejected records are counted, and no copy of them is kept.')
  if (cosmos.endpoint.startsWith('http:') && !isLoopback(new URL(cosmos.endpoint).host)) {
    found.push('cosmos.endpoint is http: whoever listens on the network can read the documents.')
  }
  return found.map((sentence) => `${sink.name}: ${sentence}`)
}

function isLoopback(hostAndPort: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(hostAndPort)
}
