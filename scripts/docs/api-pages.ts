import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { markdownTable } from './markdown-table.ts'
import { publicSymbols } from './public-symbols.ts'

/** A page for each package that exports something: every symbol with its kind and its sentence. A change of it is a change of the API. */
export function apiPages(): { path: string; text: string }[] {
  return [...readdirSync('packages').map((name) => join('packages', name)), 'connector']
    .toSorted()
    .filter((folder) => existsSync(join(folder, 'src/index.ts')))
    .map((folder) => ({ folder, symbols: publicSymbols(join(folder, 'src/index.ts'), readSource) }))
    .filter(({ symbols }) => symbols.length > 0)
    .map(({ folder, symbols }) => ({ path: `docs/api/${basename(folder)}.md`, text: page(folder, symbols) }))
}

function page(folder: string, symbols: ReturnType<typeof publicSymbols>): string {
  const { name, description } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>
  const rows = symbols.map((symbol) => [`\`${symbol.name}\``, symbol.kind, symbol.sentence])
  return `# ${name}\n\n<!-- Made by npm run docs from what the package exports. -->\n\n${description}.\n\n${markdownTable(['Name', 'Kind', 'What it is'], rows)}`
}

function readSource(from: string, specifier: string): { path: string; text: string } {
  const path = join(dirname(from), specifier)
  return { path, text: readFileSync(path, 'utf8') }
}
