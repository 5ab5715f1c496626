import type { Explore, PlanReport } from '../report/plan-report.ts'
import { MAX_PARTITION_RU } from '../service/limits.ts'
import { assumptionsSection, recipeSection } from './basis.ts'
import { priceSection, queriesSection } from './costs.ts'
import { type Chosen, exploredKeys, rangeTable } from './explored-keys.ts'
import { countText, roleOf } from './figures.ts'
import { PAGE_SCRIPT } from './generated/page-script.ts'
import { heatSection } from './heat.ts'
import { html, type Markup, section } from './html.ts'
import { keysSection } from './keys.ts'
import { type PageOptions, renderShell } from './shell.ts'
import { candidatesSection, compareNote, verdictHeader } from './verdict.ts'

/** Renders a report as one HTML file, from the report alone. */
export function renderPage(report: PlanReport, options: PageOptions): string {
  const main = html`${verdictHeader(report)} ${candidatesSection(report)} ${compareSection(report)}
  ${heatSection(report)} ${keysSection(report)} ${queriesSection(report)} ${priceSection(report)}
  ${assumptionsSection(report)} ${recipeSection(report)}`
  const footer =
    'Made by keystamp plan from the report that this file contains. Keys are shown as hashes unless --show-values was given.'
  return renderShell({ title: titleOf(report), main, footer, report, script: PAGE_SCRIPT }, options)
}

function titleOf({ verdict }: PlanReport): string {
  return verdict.candidate === null ? 'Partition key: no verdict' : `Partition key: ${verdict.candidate}`
}

function compareSection(report: PlanReport): Markup | null {
  const { explore } = report
  if (explore === null) return null
  const chosen = chosenAtFirst(report, explore)
  const steps = explore.candidates[0].at
  const index = steps.findIndex(({ partitions }) => partitions === chosen.partitions)
  return section(
    'load',
    'Load by physical partition',
    compareNote(report),
    html`<form class="sliders" id="sliders" hidden>
        <p>
          <label for="partitions">Physical partitions</label>
          <output id="partitions-value" for="partitions">${countText(chosen.partitions)}</output>
          <input type="range" id="partitions" min="0" max="${steps.length - 1}" step="1" value="${index}" />
        </p>
        <p>
          <label for="rate">Provisioned throughput</label>
          <output id="rate-value" for="rate">${countText(chosen.ruPerSecond)} RU/s</output>
          <input
            type="range"
            id="rate"
            min="400"
            max="${chosen.partitions * MAX_PARTITION_RU}"
            step="100"
            value="${chosen.ruPerSecond}"
          />
        </p>
        <p><button type="reset">Reset sliders</button></p>
      </form>
      <div class="pair" id="explored" aria-live="polite">${exploredKeys(explore, chosen, roleOf(report.verdict))}</div>
      ${explore.candidates[0].loadRuPerSecond === null ? null : legend()}
      <details id="range-table">
        <summary>Table</summary>
        <div id="ranges">${rangeTable(explore, chosen)}</div>
      </details>`
  )
}

function legend(): Markup {
  return html`<ul class="legend" aria-label="Colors">
    <li><span class="swatch within"></span> within the limit</li>
    <li><span class="swatch over"></span> above the limit: throttled</li>
    <li><span class="swatch line"></span> limit of a physical partition</li>
  </ul>`
}

const RU_WITHOUT_LOAD = 6000

/** Rate and partitions of the verdict; 6,000 RU/s for each partition if the load is unknown. */
function chosenAtFirst({ candidates: [best] }: PlanReport, explore: Explore): Chosen {
  const partitions = best.physicalPartitions ?? best.loadByRange.length
  const offered = explore.candidates[0].at.some((each) => each.partitions === partitions)
  const chosen = offered ? partitions : explore.candidates[0].at[0].partitions
  return { partitions: chosen, ruPerSecond: best.neededRuPerSecond ?? chosen * RU_WITHOUT_LOAD }
}
