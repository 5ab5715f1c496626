import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { apiReports } from './docs/api-reports.ts'
import { articlesTable } from './docs/articles-table.ts'
import { errorsPage } from './docs/errors-page.ts'
import { formatted } from './docs/formatted.ts'
import { lawLists } from './docs/law-lists.ts'
import { pageScripts } from './docs/page-script.ts'
import { replaceBlock } from './docs/replace-block.ts'
import { reportSchemas } from './docs/report-schemas.ts'
import { sinkPages } from './docs/sink-reference.ts'

// Writes the pages that are generated from the code. With --check it writes nothing, and fails if a page is out of
// date.
const isCheck = process.argv.includes('--check')
const pages = [
  { path: 'docs/errors.md', text: await errorsPage() },
  { path: 'docs/coverage.md', text: replaceBlock(await current('docs/coverage.md'), 'articles', articlesTable()) },
  { path: 'SPEC.md', text: lawLists(await current('SPEC.md')) },
  ...(await sinkPages()),
  ...(await pageScripts()),
  await reportSchemas(),
  ...apiReports()
]

const stale: string[] = []
for (const { path, text } of pages) {
  const wanted = await formatted(path, text)
  if ((await current(path)) === wanted) continue
  stale.push(path)
  if (isCheck) continue
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, wanted)
}
if (isCheck && stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run npm run docs and review the changes.`)
  process.exitCode = 1
} else {
  console.log(stale.length === 0 ? `All ${pages.length} pages are up to date.` : `Written: ${stale.join(', ')}.`)
}

async function current(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
