import type { PlanReport } from '../../report/plan-report.ts'
import { MAX_PARTITION_RU } from '../../service/limits.ts'
import { type Chosen, exploredKeys, rangeTable } from '../explored-keys.ts'
import { countText, roleOf } from '../figures.ts'

// Runs in the page: sliders and copy buttons. The page shows everything but these without it.

const report = JSON.parse(elementOf('report').textContent ?? '') as PlanReport

connectSliders(report)
connectCopyButtons()

function connectSliders({ explore, verdict }: PlanReport): void {
  const form = document.querySelector<HTMLFormElement>('#sliders')
  if (explore === null || form === null) return
  const [partitions, rate] = [inputOf('partitions'), inputOf('rate')]
  const steps = explore.candidates[0].at
  const details = elementOf('range-table') as HTMLDetailsElement
  form.hidden = false

  const chosen = (): Chosen => ({
    partitions: steps[Number(partitions.value)].partitions,
    ruPerSecond: Number(rate.value)
  })
  const show = (): void => {
    // a container cannot have more than this without a split
    rate.max = String(chosen().partitions * MAX_PARTITION_RU)
    const { partitions: count, ruPerSecond } = chosen()
    elementOf('partitions-value').textContent = countText(count)
    elementOf('rate-value').textContent = `${countText(ruPerSecond)} RU/s`
    partitions.setAttribute('aria-valuetext', countText(count))
    rate.setAttribute('aria-valuetext', `${countText(ruPerSecond)} RU/s`)
    elementOf('explored').innerHTML = exploredKeys(explore, chosen(), roleOf(verdict)).markup
    if (details.open) showTable()
  }
  const showTable = (): void => {
    elementOf('ranges').innerHTML = rangeTable(explore, chosen()).markup
  }
  form.addEventListener('input', show)
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('reset', (event) => {
    event.preventDefault()
    partitions.value = partitions.defaultValue
    rate.max = String(chosen().partitions * MAX_PARTITION_RU)
    rate.value = rate.defaultValue
    show()
  })
  details.addEventListener('toggle', showTable)
}

function connectCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    button.addEventListener('click', () => {
      void copyInto(button)
    })
  }
}

const SHOWN_MS = 2000

/** Copies the text that a button belongs to, and says so on the button for a moment. */
async function copyInto(button: HTMLButtonElement): Promise<void> {
  const isCopied = await copy(elementOf(button.dataset['copy'] ?? ''))
  button.textContent = isCopied ? 'Copied' : 'Selected'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, SHOWN_MS)
}

/** Copies the text of an element, or selects it where the browser does not allow copying. */
async function copy(element: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(element.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(element)
    return false
  }
}

function inputOf(id: string): HTMLInputElement {
  return elementOf(id) as HTMLInputElement
}

function elementOf(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`The page has no element "${id}".`)
  return element
}
