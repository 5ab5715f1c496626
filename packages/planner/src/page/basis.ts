import type { PlanReport, Recipe } from '../report/plan-report.ts'
import { formatBytes, formatCount, formatMany } from '../workload/quantity-text.ts'
import { type Content, html, type Markup, section, table } from './html.ts'

/** Inputs that were not given, warnings, and the basis of each figure. */
export function assumptionsSection(report: PlanReport): Markup {
  const { assumptions, hygiene, basis, exact, sample } = report
  const warnings = warningsOf(report)
  return section(
    'assumptions',
    'Assumptions',
    assumptions.length === 0 ? 'All inputs were given.' : 'These inputs were not given, the most important first.',
    html`${
        assumptions.length === 0
          ? null
          : html`<ol class="assumed">
              ${assumptions.map(({ what, couldChange }) => html`<li>${what} <span class="muted">This could change ${couldChange}.</span></li>`)}
            </ol>`
      }
      ${
        warnings.length === 0
          ? null
          : html`<h3>Warnings</h3>
              <ul>
                ${warnings.map((text) => html`<li>${text}</li>`)}
              </ul>`
      }
      ${
        hygiene.length === 0
          ? null
          : html`<h3>Findings about fields</h3>
              ${table(
                ['Field', 'Finding', 'Records'],
                hygiene.map(({ path, finding, records }) => [
                  html`<code>${path}</code>`,
                  finding,
                  formatCount(records)
                ]),
                { left: [0, 1], label: 'Findings about fields' }
              )}`
      }
      <h3>Basis of the figures</h3>
      <dl class="basis">
        ${Object.entries(basis).map(
          ([name, text]) =>
            html`<div>
              <dt>${NAMES[name] ?? name}</dt>
              <dd>
                ${text}${exact[name] && !text.startsWith('unknown') ? html` <span class="badge">exact</span>` : null}
              </dd>
            </div>`
        )}
        <div>
          <dt>Sample</dt>
          <dd>${formatMany(sample.records, 'record')}, ${formatBytes(sample.bytes)}, seed ${sample.seed}</dd>
        </div>
      </dl>
      <p class="muted">
        Charges, limits and prices are from the documentation of Cosmos DB. They were not measured on a live account.
      </p>`
  )
}

const NAMES: Readonly<Record<string, string>> = {
  keys: 'Keys',
  usableShare: 'Usable share',
  time: 'Time',
  throughput: 'Throughput',
  queries: 'Queries',
  price: 'Price'
}

function warningsOf({ candidates: [best], sample }: PlanReport): readonly string[] {
  return [
    ...(sample.halvesDiffer === true
      ? ['The first and the second half of the sample differ: the sample is not a random sample of all data.']
      : []),
    ...(best?.warnings ?? [])
  ]
}

/** Steps and definitions of the verdict, each with a button that copies it. */
export function recipeSection({ recipe }: PlanReport): Markup | null {
  if (recipe === null) return null
  return section(
    'recipe',
    'Recipe',
    null,
    html`<ol class="steps">
        ${recipe.steps.map((step) => html`<li>${step}</li>`)}
      </ol>
      ${partsOf(recipe).map(([name, text, isOpen], index) => part(name, text, isOpen, index))}`
  )
}

type Part = readonly [name: string, text: string, isOpen: boolean]

function partsOf({ plan, container }: Recipe): readonly Part[] {
  return [
    ...(plan === null ? [] : [['Key plan: plan.json', JSON.stringify(plan, null, 2), true] as const]),
    ['Container definition: JSON', container.json, true],
    ['Azure CLI', container.az, false],
    ['Bicep', container.bicep, false],
    ['Terraform', container.terraform, false]
  ]
}

function part(name: string, text: string, isOpen: boolean, index: number): Content {
  const id = `recipe-${index}`
  const body = html`<div class="copyable">
    <button type="button" data-copy="${id}" aria-label="Copy ${name}">Copy</button>
    <pre id="${id}" tabindex="0">${text}</pre>
  </div>`
  return isOpen
    ? html`<details open>
        <summary>${name}</summary>
        ${body}
      </details> `
    : html`<details>
        <summary>${name}</summary>
        ${body}
      </details> `
}
