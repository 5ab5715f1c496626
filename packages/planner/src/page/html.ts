/** HTML in which all strings are escaped. */
export interface Markup {
  readonly markup: string
}

/** Value in a template: strings are escaped, lists are joined, `null` and `false` are left out. */
export type Content = string | number | Markup | null | false | readonly Content[]

/** Template of HTML: `html\`<p>${text}</p>\`` escapes `text`. Attributes need double quotes. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return {
    markup: strings.map((string, index) => string + (index < contents.length ? markupOf(contents[index]) : '')).join('')
  }
}

function markupOf(content: Content): string {
  if (content === null || content === false) return ''
  if (typeof content === 'string') return escapeText(content)
  if (typeof content === 'number') return String(content)
  return 'markup' in content ? content.markup : content.map(markupOf).join('')
}

/** Escapes a string for elements and for attributes in double quotes. */
function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** JSON for the content of a script element: nothing in it can end the element, or begin a comment. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
}

/** String that goes into the page as is: scripts and styles, whose hash the content policy contains. */
export function unescaped(markup: string): Markup {
  return { markup }
}

/** A table: the first column is a heading of its row; columns of numbers are aligned to the right. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly Content[])[],
  { left = [0], label }: { readonly left?: readonly number[]; readonly label: string }
): Markup {
  const kind = (column: number): string => (left.includes(column) ? 'text' : 'number')
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${headings.map((name, column) => html`<th scope="col" class="${kind(column)}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first, ...rest]) =>
            html`<tr>
              <th scope="row" class="text">${first}</th>
              ${rest.map((cell, index) => html`<td class="${kind(index + 1)}">${cell}</td>`)}
            </tr> `
        )}
      </tbody>
    </table>
  </div>`
}

/** A section of the page with a heading and an introduction. */
export function section(id: string, heading: string, lead: Content, body: Content): Markup {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    ${lead === null || lead === '' ? null : html`<p class="lead">${lead}</p>`} ${body}
  </section> `
}
