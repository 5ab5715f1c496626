import type { Committed } from '../../consume/consumer-port.ts'
import { readMetadata } from '../../offsets/commit-metadata.ts'
import type { Shaper } from '../../shape/shaper.ts'
import type { SinkSettings } from '../settings.ts'
import type { Finding } from './check-report.ts'
import type { KafkaProbe, TopicSize } from './live-parts.ts'

/** Where the group would go on, and whether that was committed under the same key plan. */
export async function checkGroup(
  { kafka, acceptPlanChange }: SinkSettings,
  topics: readonly TopicSize[],
  probe: KafkaProbe,
  shaperOf: (topic: string) => Shaper | undefined
): Promise<readonly Finding[]> {
  const partitions = topics.flatMap(({ topic, partitions: count }) =>
    Array.from({ length: count }, (_, partition) => ({ topic, partition }))
  )
  try {
    const stored = (await probe.committed(partitions)).filter(({ position }) => position !== undefined)
    const findings: Finding[] = [{ of: 'group', state: 'ok', message: positionsText(kafka, stored.length, partitions.length) }]
    const others = stored.filter((committed) => isOfOtherPlan(committed, shaperOf(committed.topic)))
    if (others.length > 0) {
      const message = `The positions of ${others.length} partitions were committed under another key plan: records before them have other keys or ids. List that plan under \`previous\`, take another group, or say acceptPlanChange: true.`
      findings.push({ of: 'group', state: acceptPlanChange ? 'warning' : 'failed', message })
    }
    return findings
  } catch (error) {
    return [{ of: 'group', state: 'failed', message: (error as Error).message }]
  }
}

function positionsText({ group, from }: SinkSettings['kafka'], stored: number, all: number): string {
  const begin = `at the ${from} record`
  if (stored === 0) return `The group ${group} has no positions yet: reading begins ${begin}.`
  if (stored === all) return `The group ${group} goes on from its positions in all ${all} partitions.`
  return `The group ${group} goes on from its positions in ${stored} of ${all} partitions, and begins ${begin} in the others.`
}

function isOfOtherPlan({ metadata }: Committed, shaper: Shaper | undefined): boolean {
  const before = readMetadata(metadata)
  if (before?.plan === undefined || shaper === undefined) return false
  return before.plan !== shaper.fingerprint && !shaper.previousFingerprints.includes(before.plan)
}
