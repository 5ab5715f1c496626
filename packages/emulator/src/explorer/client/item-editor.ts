import { confirmedButton, element, field, fill, isolated, setText } from './element.ts'
import { bytesText, countText } from './format.ts'
import { indented, userText } from './json-text.ts'
import { keyHeader, keyOf, keyText } from './key-text.ts'
import { type ContainerName, Refusal, refusalText, type Reply, sendToContainer } from './request.ts'

/** Editor for one item. */
export interface ItemEditor {
  readonly element: HTMLElement
  /** Opens an item, given its JSON with the system properties. */
  readonly open: (document: string) => void
  readonly create: () => void
}

/** Characters up to which long lines are wrapped. */
const MAX_WRAPPED = 50_000

interface OpenItem {
  readonly id: string
  readonly key: readonly unknown[]
  readonly etag: string
}

/**
 * Creates the editor. Replace and delete are sent with the ETag that is shown, so that a change in the meantime is
 * never overwritten. `changed` is called after each write.
 */
export function itemEditor(
  container: ContainerName,
  keyPaths: readonly (readonly string[])[],
  changed: () => void
): ItemEditor {
  const heading = element('h3', { id: 'item-heading', tabindex: -1 })
  const facts = element('p', { class: 'lead' })
  const body = element('textarea', { class: 'code', rows: 16, spellcheck: 'false', autocomplete: 'off' })
  const result = element('p', { class: 'result', role: 'status' })
  const save = element('button', { type: 'button', class: 'primary', click: () => write() }, 'Replace')
  const reload = element('button', { type: 'button', click: () => read() }, 'Reload')
  const remove = confirmedButton('Delete', 'Press again to delete', () => void erase())
  const close = element('button', { type: 'button', click: () => hide() }, 'Close')
  const panel = element(
    'section',
    { class: 'panel', hidden: true, 'aria-labelledby': 'item-heading' },
    heading,
    facts,
    field('Document', body),
    element('div', { class: 'actions' }, save, reload, remove, close),
    result
  )
  let item: OpenItem | undefined

  function hide(): void {
    panel.hidden = true
  }

  function open(document: string): void {
    show(document)
    setText(result, '')
    panel.hidden = false
    heading.focus()
  }

  function show(document: string): void {
    const value = JSON.parse(document) as Record<string, unknown>
    item = { id: String(value['id']), key: keyOf(value, keyPaths), etag: String(value['_etag']) }
    const own = userText(document)
    fill(heading, 'Item ', isolated(item.id))
    fill(
      facts,
      'Partition key ',
      element('code', {}, isolated(keyText(item.key))),
      `, ${bytesText(new Blob([own]).size)}, ETag `,
      element('code', {}, item.etag)
    )
    // browsers take seconds to break a line of a megabyte
    body.wrap = own.length > MAX_WRAPPED ? 'off' : 'soft'
    body.value = indented(own)
    setText(save, 'Replace')
    reload.hidden = false
    remove.hidden = false
  }

  function create(): void {
    item = undefined
    fill(heading, 'New item')
    setText(facts, `The partition key is at ${keyPaths.map((path) => `/${path.join('/')}`).join(', ')}.`)
    body.value = JSON.stringify(template(keyPaths), null, 2)
    setText(save, 'Create')
    setText(result, '')
    reload.hidden = true
    remove.hidden = true
    panel.hidden = false
    body.focus()
  }

  async function write(): Promise<void> {
    await attempt(item === undefined ? 'Created' : 'Replaced', async () => {
      const key = keyOf(JSON.parse(body.value), keyPaths)
      const reply =
        item === undefined
          ? await sendToContainer('POST', container, 'docs', { headers: keyHeaders(key), body: body.value })
          : await sendToContainer('PUT', container, pathOf(item), { headers: conditionsOf(item), body: body.value })
      show(reply.text)
      return reply
    })
  }

  async function read(): Promise<void> {
    const { id, key } = item!
    await attempt('Read', async () => {
      const reply = await sendToContainer('GET', container, pathOf({ id }), { headers: keyHeaders(key) })
      show(reply.text)
      return reply
    })
  }

  async function erase(): Promise<void> {
    await attempt('Deleted', async () => {
      const reply = await sendToContainer('DELETE', container, pathOf(item!), { headers: conditionsOf(item!) })
      reload.hidden = true
      remove.hidden = true
      item = undefined
      setText(save, 'Create')
      return reply
    })
  }

  async function attempt(done: string, act: () => Promise<Reply>): Promise<void> {
    try {
      const { chargeRu } = await act()
      setText(result, `${done}: ${countText(chargeRu)} RU.`)
      changed()
    } catch (error) {
      const isStale = error instanceof Refusal && error.status === 412
      setText(
        result,
        isStale
          ? '412: The item was changed in the meantime. Reload it to see the change; your text is lost then.'
          : refusalText(error)
      )
    }
  }

  return { element: panel, open, create }
}

function pathOf({ id }: { readonly id: string }): string {
  return `docs/${encodeURIComponent(id)}`
}

function keyHeaders(key: readonly unknown[]): Record<string, string> {
  return { 'x-ms-documentdb-partitionkey': keyHeader(key) }
}

function conditionsOf({ key, etag }: OpenItem): Record<string, string> {
  return { ...keyHeaders(key), 'if-match': etag }
}

/** A document with an id and the properties of the key. */
function template(keyPaths: readonly (readonly string[])[]): Record<string, unknown> {
  const document: Record<string, unknown> = { id: crypto.getRandomValues(new Uint32Array(1))[0].toString(16) }
  for (const path of keyPaths) {
    let target = document
    for (const name of path.slice(0, -1)) target = (target[name] ??= {}) as Record<string, unknown>
    target[path[path.length - 1]] ??= ''
  }
  return document
}
