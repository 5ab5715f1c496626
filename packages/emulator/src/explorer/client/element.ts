/** Content of an element: strings become text, never markup. */
export type Content = Node | string | number | null | false | readonly Content[]

type Attributes = Readonly<Record<string, string | number | boolean | ((event: Event) => unknown) | undefined>>

/**
 * Creates an element. A function is a listener of the event with its name; true sets an attribute without a value,
 * and false and undefined leave it out.
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...content: readonly Content[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, (event) => void value(event))
    else if (value === true) made.setAttribute(key, '')
    else if (value !== false && value !== undefined) made.setAttribute(key, String(value))
  }
  append(made, content)
  return made
}

/** Replaces the content of an element. */
export function fill(parent: Element, ...content: readonly Content[]): void {
  parent.replaceChildren()
  append(parent, content)
}

/** Replaces the content of an element; if a control in it has the focus, the control in its place gets the focus. */
export function refill(parent: Element, ...content: readonly Content[]): void {
  const controls = (): HTMLElement[] => [...parent.querySelectorAll<HTMLElement>('a, button, input, [tabindex]')]
  const focused = controls().findIndex((control) => control === document.activeElement)
  fill(parent, ...content)
  if (focused >= 0) controls()[focused]?.focus({ preventScroll: true })
}

/** Sets the text of an element if it differs, so that selections and screen readers are not disturbed. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text
}

function append(parent: Element, content: readonly Content[]): void {
  for (const each of content) {
    if (each === null || each === false) continue
    if (typeof each === 'string' || typeof each === 'number') parent.append(String(each))
    else if (each instanceof Node) parent.append(each)
    else append(parent, each)
  }
}

/** Text of an unknown writing direction, such as an id: it does not change the order of the text around it. */
export function isolated(text: string): HTMLElement {
  return element('bdi', {}, text)
}

/** A labeled control of a form. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLElement {
  return element(
    'label',
    { class: 'field' },
    element('span', {}, label),
    control,
    hint === undefined ? null : element('small', {}, hint)
  )
}

/** A table in a part that scrolls on its own; the columns in `numbers` are aligned to the right. */
export function table(
  label: string,
  headings: readonly string[],
  rows: readonly (readonly Content[])[],
  numbers: readonly number[] = []
): HTMLElement {
  const kind = (column: number): string => (numbers.includes(column) ? 'number' : 'text')
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          headings.map((name, column) => element('th', { scope: 'col', class: kind(column) }, name))
        )
      ),
      element(
        'tbody',
        {},
        rows.map(([first, ...rest]) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row', class: kind(0) }, first),
            rest.map((cell, index) => element('td', { class: kind(index + 1) }, cell))
          )
        )
      )
    )
  )
}

/** A button that asks for a second press, for actions that cannot be undone. */
export function confirmedButton(text: string, question: string, act: () => unknown): HTMLButtonElement {
  let timer: number | undefined
  const reset = (): void => {
    clearTimeout(timer)
    timer = undefined
    button.textContent = text
  }
  const button = element('button', { type: 'button', class: 'danger', click: press, blur: reset }, text)
  function press(): void {
    if (timer === undefined) {
      button.textContent = question
      timer = setTimeout(reset, 5000)
      return
    }
    reset()
    act()
  }
  return button
}
