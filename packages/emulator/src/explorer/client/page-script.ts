import { controlsView } from './controls-view.ts'
import { element, fill, setText } from './element.ts'
import { faultsView } from './faults-view.ts'
import { countedText, durationText, timeText } from './format.ts'
import { itemsView } from './items-view.ts'
import { loadView } from './load-view.ts'
import { LoadHistory } from './load-history.ts'
import type { LiveReport } from '../live-report.ts'
import { newContainerView } from './new-container-view.ts'
import { queryView } from './query-view.ts'
import { Refusal, refusalText, send, useToken } from './request.ts'
import { hrefOf, readSelection, type Selection } from './selection.ts'
import { tokenForm } from './token-form.ts'
import { createTree } from './tree.ts'
import type { View } from './view.ts'

// Runs in the browser. Asks for the live state every second while the page is visible, and hands it to the view.

const { token } = JSON.parse(document.getElementById('settings')?.textContent ?? '{}') as { token: string | null }
const status = element('p', { class: 'status-line' })
const problem = element('p', { class: 'problem', role: 'alert', hidden: true })
const tree = element('nav', { class: 'tree', 'aria-label': 'Containers' })
const showTree = createTree(tree)
const main = element('main', { id: 'main', tabindex: -1 })
const history = new LoadHistory()
let selection = readSelection(location.hash)
let view: View | undefined
let shownFor = ''
let timer: number | undefined
let polls = 0

start()

function start(): void {
  const entered = /^#token=(.+)$/.exec(location.hash)?.[1]
  const kept = sessionStorage.getItem('token')
  if (entered !== undefined) {
    // the token must not stay in the address, which browsers remember
    window.history.replaceState(null, '', location.pathname)
    selection = readSelection('')
  }
  const known = token ?? (entered === undefined ? kept : decodeURIComponent(entered))
  if (known === null) return askForToken()
  if (token === null) sessionStorage.setItem('token', known)
  useToken(known)
  openPage()
}

function askForToken(): void {
  fill(
    document.body,
    tokenForm((given) => {
      sessionStorage.setItem('token', given)
      useToken(given)
      openPage()
    })
  )
}

function openPage(): void {
  fill(
    document.body,
    element('a', { class: 'skip', href: '#main', click: skip }, 'Skip to the view'),
    element('header', {}, element('h1', {}, 'Cosmos DB emulator'), status),
    problem,
    element('div', { class: 'frame' }, tree, main)
  )
  addEventListener('hashchange', () => {
    selection = readSelection(location.hash)
    refresh()
  })
  document.addEventListener('visibilitychange', refresh)
  refresh()
}

function skip(event: Event): void {
  event.preventDefault()
  main.focus()
}

const POLL_MS = 1000

/** Asks for the state at once, and then every second; a hidden page asks for nothing. */
function refresh(): void {
  clearTimeout(timer)
  if (document.hidden) return
  void poll()
}

async function poll(): Promise<void> {
  const asked = selection
  polls += 1
  const number = polls
  try {
    const parameters = new URLSearchParams()
    if (asked.container !== undefined) {
      parameters.set('database', asked.container.database)
      parameters.set('container', asked.container.container)
      parameters.set('known', history.known)
      parameters.set('since', String(history.since))
    }
    const { text } = await send('GET', `live?${parameters}`)
    // a later poll may have been answered before
    if (asked === selection && number === polls) show(JSON.parse(text) as LiveReport)
    problem.hidden = true
  } catch (error) {
    if (error instanceof Refusal && error.status === 401 && token === null) {
      sessionStorage.removeItem('token')
      askForToken()
      return
    }
    setText(problem, refusalText(error))
    problem.hidden = false
  }
  clearTimeout(timer)
  if (!document.hidden) timer = setTimeout(() => void poll(), POLL_MS)
}

function show(report: LiveReport): void {
  selection = withFirstContainer(selection, report)
  showTree(report, selection)
  setText(status, statusOf(report))
  if (report.container !== null) history.apply(report.container, report.nowMs)
  const wanted = JSON.stringify([selection, report.container?.rid])
  if (wanted !== shownFor) {
    shownFor = wanted
    view = viewOf(selection, report)
    fill(main, view.element)
    document.title = `${titleOf(selection)} – Cosmos DB emulator`
  }
  view?.update(report)
}

/** Without a choice, the page shows the first container, or the form for one. */
function withFirstContainer(chosen: Selection, { databases }: LiveReport): Selection {
  if (chosen.view !== 'load' || chosen.container !== undefined) return chosen
  const database = databases.find(({ containers }) => containers.length > 0)
  const next: Selection =
    database === undefined
      ? { view: 'new', container: undefined }
      : { view: 'load', container: { database: database.id, container: database.containers[0].id } }
  window.history.replaceState(null, '', hrefOf(next))
  setTimeout(refresh)
  return next
}

function viewOf({ view: name, container }: Selection, report: LiveReport): View {
  if (name === 'faults') return faultsView(report, refresh)
  if (name === 'controls') return controlsView(refresh)
  if (name === 'new') return newContainerView(report)
  if (container === undefined) return message('Choose a container.')
  if (report.container === null)
    return message(`There is no container ${container.container} in a database ${container.database}.`)
  if (name === 'items') return itemsView(container, report.container)
  if (name === 'query') return queryView(container, report.container, history)
  return loadView(container, history, refresh)
}

function message(text: string): View {
  return { element: element('p', { class: 'lead' }, text), update: () => undefined }
}

function titleOf({ view: name, container }: Selection): string {
  return container === undefined ? name : `${container.container}: ${name}`
}

function statusOf({ throttle, faults, aheadMs, nowMs }: LiveReport): string {
  const clock = Math.abs(aheadMs) < 1 ? '' : `, ${durationText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead' : 'back'}`
  return [
    location.host,
    throttle === null ? 'throttling off' : 'throttling on',
    faults === 0 ? 'no faults' : countedText(faults, 'fault'),
    `${timeText(nowMs)} UTC${clock}`
  ].join(' · ')
}
