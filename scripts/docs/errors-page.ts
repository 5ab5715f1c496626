import { CODE_TABLES, type CodeTable } from './code-tables.ts'
import { markdownTable } from './markdown-table.ts'

/** Every code that Keystamp speaks in, with what it means and what to do. */
export async function errorsPage(): Promise<string> {
  const sections = await Promise.all(CODE_TABLES.map(section))
  return `# Errors, rejections and warnings

<!-- Made by npm run docs from the tables in the code. -->

What happens to one record is a value with a code; what stops the work is thrown, with a code too. Codes stay as they are; sentences may get better.

${sections.join('\n')}`
}

type Entry = string | { readonly sentence: string; readonly cause: string; readonly remedy: string }

async function section({ module, name, title, says }: CodeTable): Promise<string> {
  const exported = (await import(module)) as Record<string, Readonly<Record<string, Entry>>>
  const table = exported[name]
  if (table === undefined) throw new Error(`${module} exports no ${name}: mend the list in scripts/docs/code-tables.ts.`)
  const entries = Object.entries(table)
  const isPlain = entries.every(([, entry]) => typeof entry === 'string')
  const rows = entries.map(([code, entry]) =>
    typeof entry === 'string' ? [`\`${code}\``, entry] : [`\`${code}\``, entry.sentence, entry.cause, entry.remedy]
  )
  const head = isPlain ? ['Code', 'What it says'] : ['Code', 'What it says', 'Why', 'What to do']
  return `## ${title}\n\n${says}\n\n${markdownTable(head, rows)}`
}
