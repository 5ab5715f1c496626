import { CODE_TABLES, type CodeTable } from './code-tables.ts'
import { markdownTable } from './markdown-table.ts'

/** Every code of Keystamp, with its meaning and remedy. */
export async function errorsPage(): Promise<string> {
  const sections = await Promise.all(CODE_TABLES.map(section))
  return `# Errors, rejections and warnings

<!-- Made by npm run docs from the tables in the code. -->

A failure of one record is a value with a code; a failure that ends the work is thrown, also with a code.
Codes are stable; sentences may change.

${sections.join('\n')}`
}

type Entry = string | { readonly sentence: string; readonly cause: string; readonly remedy: string }

async function section({ module, name, title, says }: CodeTable): Promise<string> {
  const exported = (await import(module)) as Record<string, Readonly<Record<string, Entry>>>
  const table = exported[name]
  if (table === undefined)
    throw new Error(`${module} exports no ${name}: correct the list in scripts/docs/code-tables.ts.`)
  const entries = Object.entries(table)
  const isPlain = entries.every(([, entry]) => typeof entry === 'string')
  const rows = entries.map(([code, entry]) =>
    typeof entry === 'string' ? [`\`${code}\``, entry] : [`\`${code}\``, entry.sentence, entry.cause, entry.remedy]
  )
  const head = isPlain ? ['Code', 'Message'] : ['Code', 'Message', 'Cause', 'Remedy']
  return `## ${title}\n\n${says}\n\n${markdownTable(head, rows)}`
}
