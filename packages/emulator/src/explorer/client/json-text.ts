// Works on the text of JSON instead of on parsed values: numbers keep all their digits, and a property may have any
// name, even `__proto__`.

/** The texts of the elements of an array property of an object, such as the documents of a page. */
export function elementsOf(text: string, property: string): string[] {
  for (const [name, value] of membersOf(text)) {
    if (name === property) return [...partsOf(value)]
  }
  return []
}

/** The members of an object: the name, and the text of the value. */
function* membersOf(text: string): Generator<readonly [name: string, value: string]> {
  for (const part of partsOf(text)) {
    const end = endOfString(part, 0)
    yield [JSON.parse(part.slice(0, end)) as string, part.slice(part.indexOf(':', end) + 1).trim()]
  }
}

const SYSTEM_PROPERTIES: ReadonlySet<string> = new Set(['_rid', '_self', '_etag', '_attachments', '_ts', '_lsn'])

/** A document as a user wrote it: without the system properties. */
export function userText(document: string): string {
  const members = [...partsOf(document)].filter((part) => {
    const name = JSON.parse(part.slice(0, endOfString(part, 0))) as string
    return !SYSTEM_PROPERTIES.has(name)
  })
  return `{${members.join(',')}}`
}

/** JSON with one member or element in a line. */
export function indented(text: string): string {
  let out = ''
  let depth = 0
  for (let at = 0; at < text.length;) {
    const character = text[at]
    if (character === '"') {
      const end = endOfString(text, at)
      out += text.slice(at, end)
      at = end
      continue
    }
    at += 1
    if (character === '{' || character === '[') {
      const close = nextSolid(text, at)
      if (text[close] === '}' || text[close] === ']') {
        out += character + text[close]
        at = close + 1
      } else {
        depth += 1
        out += `${character}\n${'  '.repeat(depth)}`
      }
    } else if (character === '}' || character === ']') {
      depth -= 1
      out += `\n${'  '.repeat(depth)}${character}`
    } else if (character === ',') out += `,\n${'  '.repeat(depth)}`
    else if (character === ':') out += ': '
    else if (!isSpace(character)) {
      const end = endOfWord(text, at)
      out += text.slice(at - 1, end)
      at = end
    }
  }
  return out
}

/** The texts between the commas of an object or array. */
function* partsOf(text: string): Generator<string> {
  let start = nextSolid(text, 0) + 1
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at) - 1
    else if (character === '{' || character === '[') depth += 1
    else if ((character === ',' && depth === 0) || ((character === '}' || character === ']') && depth-- === 0)) {
      const part = text.slice(start, at).trim()
      if (part !== '') yield part
      if (character !== ',') return
      start = at + 1
    }
  }
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !/[\s,:[\]{}"]/.test(text[at])) at += 1
  return at
}

function nextSolid(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text[at])) at += 1
  return at
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t'
}
