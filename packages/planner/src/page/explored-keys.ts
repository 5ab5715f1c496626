import { type ExploredRate, exploreRate } from '../evaluate/explore-rate.ts'
import type { Explore, ExploredKey } from '../report/plan-report.ts'
import { formatCount } from '../workload/quantity-text.ts'
import { drawBars, scaleOf } from './bars.ts'
import { countText, intervalText, partitionsText, percentText, priceText, ruText } from './figures.ts'
import { html, type Markup, table } from './html.ts'

/** Rate and number of physical partitions that the sliders show. */
export interface Chosen {
  readonly partitions: number
  readonly ruPerSecond: number
}

/** Charts of the keys side by side, with the figures for one rate and number of partitions. Also runs in the browser. */
export function exploredKeys(explore: Explore, chosen: Chosen, role: string): Markup {
  const keys = explore.candidates.map((key) => ({ key, rate: exploreRate(explore, key, chosen) }))
  const isKnown = keys.every(({ key }) => key.loadRuPerSecond !== null)
  const limit = isKnown ? chosen.ruPerSecond / chosen.partitions : null
  const scale = scaleOf(
    keys.flatMap(({ key }) => loadsOf(key, chosen.partitions)),
    limit
  )
  // the first candidate is the last one, to the right of the other key
  return html`${keys
    .toReversed()
    .map(({ key, rate }) =>
      exploredKey(key, rate, { limit, scale, role: explore.candidates[0] === key ? role : null })
    )}`
}

interface Drawn {
  readonly limit: number | null
  readonly scale: number
  /** Role of the first candidate; null for the key that the first candidate is compared with. */
  readonly role: string | null
}

function exploredKey(key: ExploredKey, rate: ExploredRate, { limit, scale, role }: Drawn): Markup {
  const { partitions } = rate
  const loads = loadsOf(key, partitions)
  const share = atOf(key, partitions).usableShare
  const busiest = Math.max(...loads)
  const label = `Load of each of ${partitionsText(partitions)} under ${key.candidate}; the busiest one has ${loadText(busiest, limit)}.`
  const interval = share === null ? '' : intervalText(share)
  return html`<figure class="${role === null ? 'key' : 'key verdict'}">
    <figcaption><span class="role">${role ?? 'Compared with'}</span> <code>${key.candidate}</code></figcaption>
    <p class="big">
      <b data-figure="usable">${percentText(share?.mid)}</b>
      usable${interval === '' ? null : html` <span class="muted">${interval}</span>`}
    </p>
    <div class="chart">
      <span class="axis top">${loadText(scale, limit)}</span>${drawBars({ loads, limit, scale, label })}<span
        class="axis"
        >${busiest > scale ? 'the highest bars are cut off' : 'physical partitions in the order of the hash space'}</span
      >
    </div>
    ${limit === null ? null : status(rate)}
    <dl class="facts">
      <div>
        <dt>Usable throughput</dt>
        <dd data-figure="usable-rate">${ruText(rate.usableRuPerSecond)}</dd>
      </div>
      ${
        limit === null
          ? null
          : html`<div>
                <dt>Busiest physical partition</dt>
                <dd data-figure="busiest">
                  ${ruText(rate.busiestRangeRuPerSecond)} of ${ruText(rate.limitRuPerSecond)}
                </dd>
              </div>
              <div>
                <dt>Throughput that the load needs</dt>
                <dd data-figure="needed">
                  ${rate.neededRuPerSecond === null ? 'no throughput is enough' : ruText(rate.neededRuPerSecond)}
                </dd>
              </div> `
      }
      <div>
        <dt>Price per month</dt>
        <dd data-figure="price">${priceText(rate.monthlyPrice, rate.price.currency)}</dd>
      </div>
    </dl>
  </figure> `
}

function status({ isEnough, reason, neededRuPerSecond }: ExploredRate): Markup | null {
  if (isEnough === null) return null
  if (isEnough) return html`<p class="status good">This throughput is enough for the load.</p>`
  const why = reason ?? `the load needs ${ruText(neededRuPerSecond)} with this number of physical partitions`
  return html`<p class="status bad">Cosmos DB throttles requests: ${why}.</p>`
}

/** Table of the numbers that the charts show. */
export function rangeTable(explore: Explore, { partitions }: Chosen): Markup {
  const keys = explore.candidates.toReversed()
  const isKnown = keys.every(({ loadRuPerSecond }) => loadRuPerSecond !== null)
  const loads = keys.map((key) => loadsOf(key, partitions))
  const unit = isKnown ? 'RU/s' : 'of the mean'
  return table(
    ['Physical partition', ...keys.map(({ candidate }) => `${candidate} (${unit})`)],
    Array.from({ length: loads[0].length }, (_, range) => [
      formatCount(range + 1),
      ...loads.map((each) => (isKnown ? countText(each[range]) : percentText(each[range])))
    ]),
    { label: 'Load of each physical partition' }
  )
}

/** Load of each range: RU/s, or multiples of the mean if the load is unknown. */
function loadsOf(key: ExploredKey, partitions: number): readonly number[] {
  const { loadByRange, everyRangeRuPerSecond } = atOf(key, partitions)
  const { loadRuPerSecond } = key
  if (loadRuPerSecond === null) return loadByRange.map((share) => share * loadByRange.length)
  return loadByRange.map((share) => share * loadRuPerSecond + everyRangeRuPerSecond)
}

function loadText(load: number, limit: number | null): string {
  return limit === null ? `${formatCount(Number(load.toPrecision(2)))} × the mean` : ruText(load)
}

function atOf({ at }: ExploredKey, partitions: number): ExploredKey['at'][number] {
  return at.find((each) => each.partitions === partitions) ?? at[0]
}
