import type { CheckedSide, CheckFinding, MoveCheck, Severity } from '@keystamp/move'
import { formatBytes, formatCount, formatDuration, formatMany, formatPercent, formatPrice } from '@keystamp/planner'
import type { TextLayout } from '../terminal/text-layout.ts'
import { filesOf } from './target-recipe.ts'

const LABEL_COLUMNS = 14

/** Text of a check for a terminal, from the check alone: the verdict, the findings, the promises, the costs, the recipe. */
export function describeCheck(check: MoveCheck, layout: TextLayout): string {
  const line = (label: string, text: string): readonly string[] => layout.labeled(label, LABEL_COLUMNS, text)
  const blocks = [
    layout.paragraph(check.verdict.sentence).map(layout.bold),
    ...SEVERITIES.map(([severity, label]) => findingLines(check, severity, label, line)),
    [
      ...line('Source', sideText(check.source)),
      ...line('Target', check.target.exists ? sideText(check.target) : `${check.target.name} does not exist.`)
    ],
    promiseLines(check, line),
    [
      ...line('Copy', estimateText(check)),
      ...(check.estimate.writeRu === null
        ? []
        : line('', `Assumed: ${check.estimate.assumes.join(' ')}`).map(layout.dim))
    ],
    sampleLines(check, line),
    recipeLines(check, line),
    check.unknown.flatMap(({ what, reason }, index) =>
      line(index === 0 ? 'Unknown' : '', `${capital(what)}: ${reason}`)
    )
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((each) => `${each}\n`).join(''))
    .join('\n')
}

type Line = (label: string, text: string) => readonly string[]

const SEVERITIES: readonly (readonly [Severity, string])[] = [
  ['stops', 'Stops'],
  ['needs confirmation', 'Confirm'],
  ['note', 'Notes']
]

function findingLines({ findings }: MoveCheck, severity: Severity, label: string, line: Line): readonly string[] {
  return findings
    .filter((each) => each.severity === severity)
    .flatMap(({ code, sentence, remedy }: CheckFinding, index) => [
      ...line(index === 0 ? label : '', `${code}: ${sentence}`),
      ...line('', `-> ${remedy}`)
    ])
}

function sideText({ name, keyPaths, partitions, throughput, documents, bytes, largestKeyBytes }: CheckedSide): string {
  const parts = [
    `partition key ${keyPaths.join(', ')}`,
    ...(partitions === null ? [] : [formatMany(partitions, 'physical partition')]),
    throughputText(throughput),
    documents === null ? 'an unknown number of documents' : formatMany(documents, 'document'),
    ...(bytes === null ? [] : [formatBytes(bytes)]),
    ...(largestKeyBytes === null || largestKeyBytes === 0 ? [] : [`largest key ${formatBytes(largestKeyBytes)}`])
  ]
  return `${name}: ${parts.join(', ')}.`
}

function throughputText(throughput: CheckedSide['throughput']): string {
  if (throughput === null) return 'unknown RU/s'
  const { kind, ruPerSecond, isShared } = throughput
  if (ruPerSecond === null) return 'serverless'
  return `${formatCount(ruPerSecond)} RU/s${kind === 'autoscale' ? ' (autoscale)' : ''}${isShared ? ' of its database' : ''}`
}

function promiseLines({ plan, deletes, keyChanges, back, ttl }: MoveCheck, line: Line): readonly string[] {
  const { indexDiskBytes: disk, indexMemoryBytes: memory } = keyChanges
  const index =
    memory === null
      ? ''
      : ` The index takes ${disk === null ? 'an unknown size' : formatBytes(disk)} on the disk, and ${formatBytes(memory)} of memory.`
  return [
    ...line('Plan', plan.sentence),
    ...line('Deletes', `${deletes.sentence} ${deletes.otherwise}`),
    ...(keyChanges.seenBy === 'identity'
      ? line('Key changes', keyChanges.sentence)
      : line('Key changes', `${keyChanges.sentence}${index} ${keyChanges.otherwise}`)),
    ...line('Time to live', ttl.sentence),
    ...line('Way back', `${back.sentence} ${back.deletes.sentence}`),
    ...back.needs.flatMap((need) => line('', `- ${need}`))
  ]
}

function estimateText({ estimate }: MoveCheck): string {
  const { readRu, writeRu, readRuPerSecond, writeRuPerSecond, seconds, limitedBy, cost, currency, compareRu } = estimate
  if (readRu === null || writeRu === null || compareRu === null) return 'RU, time and price are unknown.'
  const price = cost === null || currency === null ? 'unknown' : formatPrice(cost, currency)
  return [
    `Reads ${formatCount(readRu)} RU${rateText(readRuPerSecond)}, and writes ${formatCount(writeRu)} RU${rateText(writeRuPerSecond)}.`,
    seconds === null ? 'The time is unknown.' : `This takes ${timeText(seconds)}; the ${limitedBy ?? ''} limits it.`,
    `Price of the target in this time: ${price}.`,
    `A comparison reads ${formatCount(compareRu)} RU in each container.`
  ].join(' ')
}

function rateText(ruPerSecond: number | null): string {
  return ruPerSecond === null ? '' : ` at ${formatCount(ruPerSecond)} RU/s`
}

function timeText(seconds: number): string {
  return formatDuration(seconds < 60 ? Math.max(1, seconds) : Number(seconds.toPrecision(2)))
}

function sampleLines({ sample, source }: MoveCheck, line: Line): readonly string[] {
  if (sample === null) return []
  const of = source.documents === null ? '' : ` of ${formatCount(source.documents)}`
  const { sharedKeys, tornKeys, largestKey } = sample
  const rejected = sample.rejected.reduce((sum, { documents }) => sum + documents, 0)
  const parts = [
    `${formatMany(sample.documents, 'document')}${of}, on average ${formatBytes(Math.round(sample.meanBytes))}`,
    formatMany(rejected, 'rejected document'),
    formatMany(sample.collisions, 'collision'),
    ...(sharedKeys === 0 ? [] : [`${formatCount(tornKeys)} of ${formatMany(sharedKeys, 'old key')} torn`]),
    ...(sample.mortal === 0 ? [] : [`${formatPercent(sample.mortal / sample.documents)} with an end of life`]),
    ...(largestKey === null ? [] : [`largest new key ${formatPercent(largestKey.share)} of the data`])
  ]
  return line('Sample', `${parts.join('; ')}.`)
}

function recipeLines({ recipe, target }: MoveCheck, line: Line): readonly string[] {
  // a target that exists needs only what its findings say
  if (target.exists) return []
  const files = filesOf(recipe.az)
  return [
    ...recipe.steps.flatMap((step, index) => line(index === 0 ? 'Recipe' : '', `${index + 1}. ${step}`)),
    ...(files === undefined ? [] : line('', files)),
    '',
    ...recipe.az.split('\n'),
    '',
    ...recipe.json.split('\n')
  ]
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
