import { readFileSync } from 'node:fs'

export interface PublicSymbol {
  readonly name: string
  readonly kind: string
  /** The first paragraph of its doc comment. */
  readonly sentence: string
}

type ReadSource = (from: string, specifier: string) => { readonly path: string; readonly text: string }

/** Everything that an index file exports by name, with what its declaration says. The index holds nothing but `export { ... } from`. */
export function publicSymbols(index: string, readSource: ReadSource): PublicSymbol[] {
  const text = readFileSync(index, 'utf8')
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)]
    .flatMap(([, names, specifier]) => {
      const source = readSource(index, specifier)
      return names
        .split(',')
        .map((name) => name.replace(/^\s*type\s/, '').trim())
        .filter((name) => name !== '')
        .map((name) => declarationOf(name, source))
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function declarationOf(name: string, { path, text }: ReturnType<ReadSource>): PublicSymbol {
  const found = new RegExp(
    String.raw`^export (?:declare )?(?:async )?(?:abstract )?(function|const|class|interface|type)\*? ${name}\b`,
    'm'
  ).exec(text)
  if (found === null) throw new Error(`${path} declares no ${name}: an index re-exports from where a thing is declared.`)
  return { name, kind: found[1], sentence: sentenceAbove(text.slice(0, found.index)) }
}

function sentenceAbove(text: string): string {
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:\/\/[^\n]*\n)*$/.exec(text)?.[1] ?? ''
  return comment
    .replaceAll(/^\s*\*? ?/gm, '')
    .trim()
    .replaceAll(/\s+/g, ' ')
}
