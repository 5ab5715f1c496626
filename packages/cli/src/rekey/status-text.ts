import type { OpenMoveStatus } from '@keystamp/move'
import { countText, durationText } from '../progress/units.ts'
import type { Dependencies } from '../dependencies.ts'
import { createTextLayout, type TextLayout } from '../terminal/text-layout.ts'

/** The status of a move, for a person. On a terminal, no line is wider than it; elsewhere each sentence is one line. */
export function statusText(
  status: OpenMoveStatus,
  pid: string | undefined,
  nowMs: number,
  output: Pick<Dependencies, 'stdout' | 'env'>
): string {
  const { paragraph, labeled } = output.stdout.isTTY === true ? createTextLayout(output) : WHOLE_LINES
  const { phase, phaseAt, from, to, copy, gates, rejected, stragglers } = status
  const row = (name: string, text: string): readonly string[] => labeled(`  ${name}`, ROW_COLUMNS, text)
  const noted = (sentence: string): readonly string[] =>
    sentence.startsWith('! ') ? labeled('!', 2, sentence.slice(2)) : paragraph(sentence)
  const lines = [
    ...paragraph(`${PHASES[phase] ?? phase}${phaseAt === undefined ? '' : ` since ${phaseAt}`}`),
    ...processLines(status, pid, nowMs).flatMap(noted),
    ...status.waits.map(({ since, detail }) => `! Waiting since ${since}: ${detail}`).flatMap(noted),
    ...status.warnings.map((warning) => `! ${warning}`).flatMap(noted),
    '',
    ...row('from', from),
    ...row('to', to),
    ...row('deletes', DELETES[status.deletes]),
    ...(copy === undefined
      ? []
      : [
          ...copiedLines(status).flatMap(([name, text]) => row(name, text)),
          ...row(
            'changes',
            `${count(copy.counts.stored)} stored, ${count(copy.counts.deleted)} deleted by this process`
          ),
          ...row('ranges', `${copy.ranges.filter(({ isCopied }) => isCopied).length} of ${copy.ranges.length} copied`),
          ...row('lag', status.lagSeconds === undefined ? 'not known yet' : `${status.lagSeconds.toFixed(1)} s`),
          ...(copy.pausedFor === undefined ? [] : row('paused', copy.pausedFor))
        ]),
    ...row('RU', `${count(status.chargedRu.from)} of the source, ${count(status.chargedRu.to)} of the target`),
    ...(copy === undefined
      ? []
      : row('RU/s', `${rateText(status, 'from')} of the source, ${rateText(status, 'to')} of the target`)),
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
    ...gates.flatMap(({ isMet, reason }) => labeled(`  ${isMet ? '✓' : '✗'}`, 4, reason))
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

const ROW_COLUMNS = 13
const WHOLE_LINES: Pick<TextLayout, 'paragraph' | 'labeled'> = {
  paragraph: (text) => [text],
  labeled: (label, columns, text) => [`${label.padEnd(columns)}${text}`]
}

/** How far the copy and a comparison are. */
function copiedLines({ phase, progress }: OpenMoveStatus): readonly (readonly [name: string, text: string])[] {
  const { copied, documents, secondsLeft, comparison } = progress
  const known = documents === null ? '' : ` of ${countText(documents)}`
  const left = secondsLeft === null ? '' : `, ${durationText(secondsLeft)} left`
  const both = documents === null ? '' : ` of about ${countText(2 * documents)}`
  return [
    ...(phase === 'copy' ? [['documents', `${countText(copied)}${known} copied${left}`] as const] : []),
    ...(comparison === null
      ? []
      : [
          [
            'comparison',
            comparison.phase === 'settling'
              ? `${countText(comparison.waiting)} documents differ, and are read again until they stand still`
              : `${countText(comparison.documents)}${both} documents read in both containers`
          ] as const
        ])
  ]
}

/** RU/s that are used, and the share. */
function rateText({ progress: { ruPerSecond, shareRuPerSecond } }: OpenMoveStatus, side: 'from' | 'to'): string {
  const share = shareRuPerSecond[side]
  return `${count(ruPerSecond[side])}${share === null ? '' : ` of ${count(share)}`}`
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en-US')
}
