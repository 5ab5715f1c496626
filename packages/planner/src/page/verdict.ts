import type { CandidateReport, Comparison, PlanReport } from '../report/plan-report.ts'
import { formatCount } from '../workload/quantity-text.ts'
import { countText, gigabytesText, intervalText, partitionsText, percentText, priceText } from './figures.ts'
import { type Content, html, type Markup, section, table } from './html.ts'

/** The verdict as text, and its figures. */
export function verdictHeader({ verdict, partitions, candidates, sample, workload }: PlanReport): Markup {
  const best = verdict.candidate === null ? undefined : candidates[0]
  const tiles = best === undefined ? [] : tilesOf(best, partitions)
  return html`<header>
    <p class="kicker">Partition key for Azure Cosmos DB <span class="kind">${KINDS[verdict.kind]}</span></p>
    <h1>${withCode(unbroken(verdict.sentence), verdict.candidate)}</h1>
    ${
      tiles.length === 0
        ? null
        : html`<dl class="tiles">
            ${tiles.map(
              ([name, value, note]) =>
                html`<div>
                  <dt>${name}</dt>
                  <dd>${value}${note === '' ? null : html`<small class="note">${note}</small>`}</dd>
                </div> `
            )}
          </dl>`
    }
    <p class="sample">
      Measured on ${formatCount(sample.records)}
      ${METHODS[sample.method]}.${workload.length === 0 ? null : html` Workload: ${workload.map(({ name, value }, index) => html`${index === 0 ? '' : ', '}${name} <b>${value}</b>`)}.`}
    </p>
  </header> `
}

const KINDS = {
  keep: 'keep the present key',
  adopt: 'adopt a key',
  index: 'add an index container',
  either: 'the key does not matter for load',
  expire: 'let the old documents expire',
  unknown: 'no verdict'
} as const

const METHODS = {
  whole: 'records',
  uniform: 'records of a random sample',
  reservoir: 'records of a random sample',
  head: 'records from the beginning of the data',
  described: 'generated records of the described fields'
} as const

/** Sizes of keys below 1 KB say nothing: such a key has less than a document. */
const MIN_SHOWN_GB = 1e-6

type Tile = readonly [name: string, value: Content, note: string]

function tilesOf(best: CandidateReport, partitions: PlanReport['partitions']): readonly Tile[] {
  const { usableShare, largestKey, neededRuPerSecond, monthlyPrice, price, partitionKeyPaths, distinctKeys } = best
  return [
    [
      'Partition key',
      html`${partitionKeyPaths.map((path) => html`<code>${path}</code> `)}`,
      best.plan === null ? 'a field of the documents' : 'written by a key plan'
    ],
    ['Usable share', percentText(usableShare?.mid), usableShare === null ? '' : intervalText(usableShare)],
    [
      'Physical partitions',
      countText(best.physicalPartitions),
      partitions === null ? '' : DECIDED_BY[partitions.decidedBy]
    ],
    ['Throughput', neededRuPerSecond === null ? '–' : html`${formatCount(neededRuPerSecond)} <small>RU/s</small>`, ''],
    [
      'Price per month',
      priceText(monthlyPrice, price?.currency ?? 'USD'),
      price === null ? '' : `as of ${price.listDate}`
    ],
    [
      'Distinct keys',
      html`${distinctKeys.high === null ? 'at least ' : ''}${formatCount(distinctKeys.mid ?? distinctKeys.low)}`,
      largestKey === null
        ? ''
        : `largest: ${largestKey.gb === null || largestKey.gb < MIN_SHOWN_GB ? percentText(largestKey.share.mid) : gigabytesText(largestKey.gb)}`
    ]
  ]
}

const DECIDED_BY = {
  storage: 'due to the data',
  throughput: 'due to the load',
  one: 'one is enough'
} as const

function withCode(sentence: string, candidate: string | null): Content {
  if (candidate === null || !sentence.includes(candidate)) return sentence
  const [before, ...after] = sentence.split(candidate)
  return html`${before}<code>${candidate}</code>${after.join(candidate)}`
}

const SHOWN = 10

const FIRST = {
  cheap: 'The first key is the cheapest one within the limits of Cosmos DB.',
  even: 'The first key spreads the records most evenly.'
} as const

/** All candidates with their figures: the best ones first, the others in a part that can be opened. */
export function candidatesSection({ candidates, verdict, dropped }: PlanReport): Markup {
  const [shown, rest] = [candidates.slice(0, SHOWN), candidates.slice(SHOWN)]
  return section(
    'candidates',
    'Candidates',
    `${FIRST[verdict.kind === 'unknown' && verdict.candidate !== null ? 'even' : 'cheap']} The bar shows the share of the provisioned throughput that the load can use, with its 95 % interval. The column Queries counts the queries by where they go: point reads, one key, some physical partitions, or all of them.`,
    html`${candidatesTable(shown, verdict.kind === 'unknown' ? null : verdict.candidate)}
    ${
      rest.length === 0
        ? null
        : html`<details>
            <summary>${formatCount(rest.length)} more candidates</summary>
            ${candidatesTable(rest, null)}
          </details>`
    }
    ${
      dropped.length === 0
        ? null
        : html`<details>
            <summary>${formatCount(dropped.length)} more fields and keys, which were dropped early</summary>
            <ul>
              ${dropped.map(({ name, why }) => html`<li><code>${name}</code> ${why}</li>`)}
            </ul>
          </details>`
    }`
  )
}

function candidatesTable(candidates: readonly CandidateReport[], best: string | null): Markup {
  return table(
    ['Key', 'Usable', '', 'RU/s', 'Partitions', 'Per month', 'Queries', 'Why not'],
    candidates.map((each) => [
      html`<span class="rank">${each.rank}</span
        ><code>${each.name}</code>${each.name === best ? html` <span class="badge">verdict</span>` : null}`,
      shareBar(each),
      percentText(each.usableShare?.mid),
      countText(each.neededRuPerSecond),
      countText(each.physicalPartitions),
      priceText(each.monthlyPrice, each.price?.currency ?? 'USD'),
      queriesText(each),
      unbroken(each.whyNot ?? '')
    ]),
    { left: [0, 1, 6, 7], label: 'Candidates' }
  )
}

/** Keeps numbers and their percent signs on one line. */
function unbroken(text: string): string {
  return text.replaceAll(' %', '\u00a0%')
}

function queriesText({ queries }: CandidateReport): string {
  if (queries.length === 0) return '–'
  return (['point', 'key', 'ranges', 'all'] as const)
    .map((kind) => [queries.filter((query) => query.kind === kind).length, kind] as const)
    .flatMap(([count, kind]) => (count === 0 ? [] : `${formatCount(count)} ${kind === 'ranges' ? 'some' : kind}`))
    .join(', ')
}

/** Interval of the usable share: a bar up to the estimate, and a line from the lower to the upper bound. */
function shareBar({ usableShare }: CandidateReport): Markup | null {
  if (usableShare === null) return null
  const { low, mid, high } = usableShare
  return html`<svg class="share" width="88" height="14" aria-hidden="true">
    <line class="track" x1="0" x2="100%" y1="7" y2="7" />
    <line class="fill" x1="0" x2="${lengthOf(mid)}" y1="7" y2="7" />
    <line class="whisker" x1="${lengthOf(low)}" x2="${lengthOf(high)}" y1="7" y2="7" />
    ${low === high ? null : [boundLine(low), boundLine(high)]}
  </svg>`
}

function boundLine(share: number): Markup {
  return html`<line class="bound" x1="${lengthOf(share)}" x2="${lengthOf(share)}" y1="2" y2="12" />`
}

function lengthOf(share: number): string {
  return `${Math.round(share * 1000) / 10}%`
}

/** Explanation of the two charts. */
export function compareNote({ comparison, candidates, partitions, workload }: PlanReport): string {
  const other = comparison === null ? '' : ` ${firstChart(comparison, candidates, workload)}`
  const share = candidates[0].usableShare
  const chance =
    share === null || share.low === share.high
      ? ''
      : ' The bars show counts from the sample, which vary randomly; the usable share is corrected for this.'
  const at = partitions === null ? '' : ` At first, the sliders show the verdict: ${partitionsText(partitions.count)}.`
  return `Each bar is a physical partition.${other === '' ? '' : ' Both charts have the same scale.'}${other}${at}${chance}`
}

function firstChart(
  { candidate, why }: Comparison,
  candidates: readonly CandidateReport[],
  workload: PlanReport['workload']
): string {
  const [best] = candidates
  const compared = candidates.find(({ name }) => name === candidate)
  if (best.indexContainers.length > 0 && best.partitionKeyPaths.join() === compared?.partitionKeyPaths.join())
    return 'The first chart shows the same key without the index container.'
  if (why === 'present') return 'The first chart shows the key of the present container.'
  return workload.some(({ name }) => name === 'query')
    ? 'The first chart shows the least even of the fields that the queries filter by.'
    : 'The first chart shows the least even field.'
}
