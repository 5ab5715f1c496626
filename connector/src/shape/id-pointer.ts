/**
 * The JSON pointer that a path means: a pointer already (`/a/b`), or a JSON path of plain steps as Microsoft's connectors take
 * (`$.a.b`, `$['a b'][0]`); empty for the root; undefined where it can mean several places or none.
 */
export function toIdPointer(path: string): string | undefined {
  if (path === '$') return ''
  if (path.startsWith('/')) return POINTER.test(path) ? path : undefined
  if (!path.startsWith('$')) return undefined
  let pointer = ''
  let from = 1
  while (from < path.length) {
    STEP.lastIndex = from
    const step = STEP.exec(path)
    if (step === null) return undefined
    const [whole, bare, single, double, index] = step
    pointer += `/${escapeStep(bare ?? index ?? unquote(single ?? double))}`
    from += whole.length
  }
  return POINTER.test(pointer) ? pointer : undefined
}

const POINTER = /^(?:\/(?:[^~/]|~[01])+)+$/
const STEP = /\.([^.[\]*?@'"\s]+)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/y

function unquote(text: string): string {
  return text.replace(/\\(.)/g, '$1')
}

function escapeStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
