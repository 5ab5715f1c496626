import { type OpenMoveStatus, WAIT_REASONS } from '@keystamp/move'

interface Metric {
  readonly name: string
  readonly type: 'gauge' | 'counter'
  readonly help: string
  readonly samples: readonly { readonly labels?: string; readonly value: number | undefined }[]
}

/** The status of a move as metrics of Prometheus. */
export function metricsText(status: OpenMoveStatus): string {
  return metricsOf(status)
    .map(({ name, type, help, samples }) => {
      const lines = samples
        .filter(({ value }) => value !== undefined)
        .map(({ labels, value }) => `${name}${labels === undefined ? '' : `{${labels}}`} ${value}`)
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
    })
    .join('')
}

function metricsOf({
  phase,
  copy,
  lagSeconds,
  rejected,
  stragglers,
  part,
  chargedRu,
  throttled,
  gates,
  versions,
  waits,
  progress
}: OpenMoveStatus): readonly Metric[] {
  return [
    gauge('phase', 'Phase of the move: 1 for the present one.', [{ labels: `phase="${phase}"`, value: 1 }]),
    gauge('lag_seconds', 'Lag of the copy.', one(lagSeconds)),
    gauge('ranges', 'Feed ranges of the container that is in charge.', one(copy?.ranges.length)),
    gauge(
      'ranges_copied',
      'Feed ranges that were copied once.',
      one(copy?.ranges.filter((each) => each.isCopied).length)
    ),
    gauge(
      'source_documents',
      'Documents of the source when the process started.',
      one(progress.documents ?? undefined)
    ),
    gauge('copied_documents', 'Documents of the source that are copied.', one(copy && progress.copied)),
    counter('documents_stored_total', 'Documents that this process has stored.', one(copy?.counts.stored)),
    counter('documents_deleted_total', 'Copies that this process has deleted.', one(copy?.counts.deleted)),
    counter('request_units_total', 'Request units that this process has used.', sides(chargedRu)),
    counter('throttled_total', 'Answers with the status 429.', sides(throttled)),
    gauge('share_ratio', 'Part of the given shares that is used.', one(part)),
    gauge('rejected_documents', 'Documents that cannot be copied.', one(rejected)),
    gauge('straggler_changes', 'Changes in the container that is not in charge any more.', one(stragglers)),
    gauge(
      'gate_met',
      'Whether a condition of the switch is met.',
      gates.map(({ name, isMet }) => ({ labels: `gate="${name}"`, value: isMet ? 1 : 0 }))
    ),
    gauge(
      'paused',
      'Whether the copy is paused.',
      one(copy === undefined ? undefined : copy.pausedFor === undefined ? 0 : 1)
    ),
    gauge(
      'blocked',
      'Whether the move waits, by reason.',
      WAIT_REASONS.map((reason) => ({
        labels: `reason="${reason}"`,
        value: waits.some((wait) => wait.reason === reason) ? 1 : 0
      }))
    ),
    gauge(
      'wait_start_timestamp_seconds',
      'When a wait began, by reason.',
      waits.map(({ reason, since }) => ({ labels: `reason="${reason}"`, value: Date.parse(since) / 1000 }))
    ),
    gauge(
      'deletes_read_timestamp_seconds',
      'All deletes before this time are read from the feed of all versions and deletes.',
      one(versions === null ? undefined : Date.parse(versions.readTo) / 1000)
    ),
    gauge(
      'deletes_retention_seconds',
      'Time for which Cosmos DB keeps deletes in that feed.',
      one(versions === null ? undefined : versions.retentionMinutes * 60)
    )
  ]
}

function sides({ from, to }: { readonly from: number; readonly to: number }): Metric['samples'] {
  return [
    { labels: 'container="source"', value: from },
    { labels: 'container="target"', value: to }
  ]
}

function one(value: number | undefined): Metric['samples'] {
  return [{ value }]
}

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name: `keystamp_move_${name}`, type: 'gauge', help, samples }
}

function counter(name: string, help: string, samples: Metric['samples']): Metric {
  return { name: `keystamp_move_${name}`, type: 'counter', help, samples }
}
