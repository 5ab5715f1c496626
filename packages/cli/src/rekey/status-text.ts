import type { OpenMoveStatus } from '@keystamp/move'

/** The status of a move for a terminal, at most 100 columns. */
export function statusText(status: OpenMoveStatus, pid: string | undefined, nowMs: number): string {
  const { phase, phaseAt, from, to, copy, gates, rejected, stragglers } = status
  const lines = [
    `${PHASES[phase] ?? phase}${phaseAt === undefined ? '' : ` since ${phaseAt}`}`,
    ...processLines(status, pid, nowMs),
    ...status.waits.map(({ since, detail }) => `! Waiting since ${since}: ${detail}`),
    ...status.warnings.map((warning) => `! ${warning}`),
    '',
    ...row('from', from),
    ...row('to', to),
    ...row('deletes', DELETES[status.deletes]),
    ...(copy === undefined
      ? []
      : [
          ...row(
            'documents',
            `${count(copy.counts.stored)} stored, ${count(copy.counts.deleted)} deleted by this process`
          ),
          ...row('ranges', `${copy.ranges.filter(({ isCopied }) => isCopied).length} of ${copy.ranges.length} copied`),
          ...row('lag', status.lagSeconds === undefined ? 'not known yet' : `${status.lagSeconds.toFixed(1)} s`),
          ...(copy.pausedFor === undefined ? [] : row('paused', copy.pausedFor))
        ]),
    ...row('RU', `${count(status.chargedRu.from)} of the source, ${count(status.chargedRu.to)} of the target`),
    ...(status.part < 1
      ? row('share', `${Math.round(status.part * 100)}% of the given shares, since Cosmos DB throttles`)
      : []),
    ...(rejected > 0 ? row('rejected', `${count(rejected)}: see rejected.ndjson in the folder of the journal`) : []),
    ...(stragglers > 0
      ? row('stragglers', `${count(stragglers)} changes in the container that is not in charge any more`)
      : []),
    ...(gates.length === 0
      ? []
      : ['', phase === 'reverse' ? 'Conditions of the way back' : 'Conditions of the switch']),
    ...gates.map(({ isMet, reason }) => `  ${isMet ? '✓' : '✗'} ${reason}`)
  ]
  return `${lines.join('\n')}\n`
}

const DELETES: Readonly<Record<OpenMoveStatus['deletes'], string>> = {
  feed: 'seen in the feed of all versions and deletes',
  compare: 'found by comparisons',
  expired: 'found by comparisons, since the feed was off at the beginning, or the move stood still for too long'
}

const PHASES: Readonly<Record<string, string>> = {
  copy: 'Copying',
  follow: 'Following changes; the source is in charge',
  switch: 'Switching to the target',
  reverse: 'Switched; the target is in charge, and its changes are copied back',
  back: 'Returning to the source',
  finished: 'Finished; the target is in charge',
  aborted: 'Aborted; the source is in charge'
}

function processLines(status: OpenMoveStatus, pid: string | undefined, nowMs: number): readonly string[] {
  const { phase, at, step, failure } = status
  if (phase === 'finished' || phase === 'aborted') return []
  if (pid === undefined)
    return [
      'No process runs this move: start the same command again to continue it.',
      ...(failure === null ? [] : [`! The last process ended at ${at}: ${failure}`])
    ]
  const isSilent = nowMs - Date.parse(at) > SILENT_MS
  return [
    `Process ${pid}: ${step}${sinceText(status)}.`,
    ...(isSilent ? [`! It has not written its status since ${at}: it may be stopped, or the disk may be full.`] : [])
  ]
}

/** A running process writes its status every second. */
const SILENT_MS = 10_000

function sinceText({ stepAt }: OpenMoveStatus): string {
  return typeof stepAt === 'string' ? `, since ${stepAt.slice(11, 19)} UTC` : ''
}

function row(name: string, text: string): readonly string[] {
  return [`  ${name.padEnd(11)}${text}`]
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en-US')
}
