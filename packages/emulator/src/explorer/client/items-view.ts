import type { LiveContainer } from '../live-report.ts'
import { containerHeader } from './container-header.ts'
import { element, field, fill, isolated, setText, table } from './element.ts'
import { countedText, countText, dateText, retriesText } from './format.ts'
import { itemEditor } from './item-editor.ts'
import { elementsOf, userText } from './json-text.ts'
import { keyFields } from './key-fields.ts'
import { keyOf, keyText } from './key-text.ts'
import { type ContainerName, rangesOf, refusalText, type Reply, sendToContainer } from './request.ts'
import type { View } from './view.ts'

const PAGE_ITEMS = 25
const PREVIEW = 160

/** Items of a container, page by page: all, or those of a key or id. */
export function itemsView(container: ContainerName, { keyPaths }: LiveContainer): View {
  const key = keyFields(keyPaths)
  const id = element('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', dir: 'auto' })
  const result = element('p', { class: 'result', role: 'status' })
  const list = element('div', {})
  const previous = element('button', { type: 'button', disabled: true, click: () => page(-1) }, 'Previous page')
  const next = element('button', { type: 'button', disabled: true, click: () => page(1) }, 'Next page')
  const editor = itemEditor(container, keyPaths, () => void show())
  /** Continuations of the pages up to the next one; the first page has none. */
  let continuations: (string | undefined)[] = [undefined]
  let at = 0

  function page(by: number): void {
    at += by
    void show()
  }

  function find(event?: Event): void {
    event?.preventDefault()
    continuations = [undefined]
    at = 0
    void show()
  }

  async function show(): Promise<void> {
    try {
      const reply = await ask(continuations[at])
      const documents = elementsOf(reply.text, 'Documents')
      const continuation = reply.headers.get('x-ms-continuation')
      continuations = [...continuations.slice(0, at + 1), ...(continuation === null ? [] : [continuation])]
      fill(list, documents.length === 0 ? null : tableOf(documents))
      const ranges = rangesOf(reply)
      setText(
        result,
        `${documents.length === 0 ? 'No items' : countedText(documents.length, 'item')}, page ${countText(at + 1)}: ${countText(reply.chargeRu)} RU, ${countedText(ranges.length, 'physical partition')}${retriesText(reply.retries)}.`
      )
    } catch (error) {
      setText(result, refusalText(error))
    }
    previous.disabled = at === 0
    next.disabled = continuations.length <= at + 1
  }

  function ask(continuation: string | undefined): Promise<Reply> {
    const keyGiven = key.header()
    const headers = {
      'x-ms-max-item-count': String(PAGE_ITEMS),
      ...(keyGiven === undefined ? {} : { 'x-ms-documentdb-partitionkey': keyGiven }),
      ...(continuation === undefined ? {} : { 'x-ms-continuation': continuation })
    }
    if (id.value === '') return sendToContainer('GET', container, 'docs', { headers })
    return sendToContainer('POST', container, 'docs', {
      headers: {
        ...headers,
        'content-type': 'application/query+json',
        'x-ms-documentdb-isquery': 'True',
        'x-ms-documentdb-query-enablecrosspartition': 'True'
      },
      body: JSON.stringify({
        query: 'SELECT * FROM c WHERE c.id = @id',
        parameters: [{ name: '@id', value: id.value }]
      })
    })
  }

  function tableOf(documents: readonly string[]): HTMLElement {
    const rows = documents.map((text) => {
      const document = JSON.parse(text) as Record<string, unknown>
      const shownId = String(document['id'])
      const own = userText(text)
      return [
        element('button', { type: 'button', class: 'link', click: () => editor.open(text) }, isolated(shownId)),
        element('code', {}, isolated(keyText(keyOf(document, keyPaths)))),
        element('span', { class: 'nowrap' }, dateText(Number(document['_ts']) * 1000)),
        element('code', { class: 'preview' }, isolated(own.length > PREVIEW ? `${own.slice(0, PREVIEW)}…` : own))
      ]
    })
    return table('Items', ['Id', 'Partition key', 'Changed (UTC)', 'Document'], rows)
  }

  void show()
  return {
    element: element(
      'div',
      {},
      containerHeader(container, 'items'),
      element(
        'form',
        { class: 'row', submit: find },
        key.elements,
        field('Id', id),
        element('button', { class: 'primary' }, 'Find'),
        element(
          'button',
          {
            type: 'button',
            click: () => {
              key.clear()
              id.value = ''
              find()
            }
          },
          'All items'
        ),
        element('button', { type: 'button', click: () => editor.create() }, 'New item')
      ),
      result,
      list,
      element('div', { class: 'actions' }, previous, next),
      editor.element
    ),
    update: () => undefined
  }
}
