import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Prose, readMarkdown, readSource } from './read-prose.ts'
import { findProse, type ProseFinding } from './rules.ts'

export interface FileFinding extends ProseFinding {
  readonly path: string
}

/** Findings by area (a package, `connector`, `test`, `docs`, ...) and rule. */
export type ProseCounts = Readonly<Record<string, Readonly<Record<string, number>>>>

/**
 * Sources and Markdown files that git lists, without generated pages, and without the lint itself, which contains the
 * words that it searches for.
 */
export function proseFiles(root: string): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs', '*.md'], {
    cwd: root,
    encoding: 'utf8'
  })
    .split('\n')
    .filter((path) => path !== '' && !NOT_READ.test(path) && existsSync(join(root, path)))
}

export function findIn(root: string, paths: readonly string[]): FileFinding[] {
  return paths.flatMap((path) =>
    proseOf(root, path).flatMap((prose) => findProse(prose).map((finding) => ({ path, ...finding })))
  )
}

function proseOf(root: string, path: string): Prose[] {
  const text = readFileSync(join(root, path), 'utf8')
  return path.endsWith('.md') ? readMarkdown(text) : readSource(text)
}

export function countFindings(findings: readonly FileFinding[]): ProseCounts {
  const counts: Record<string, Record<string, number>> = {}
  for (const { path, rule } of findings) {
    const area = (counts[areaOf(path)] ??= {})
    area[rule] = (area[rule] ?? 0) + 1
  }
  return sorted(Object.fromEntries(Object.entries(counts).map(([area, rules]) => [area, sorted(rules)])))
}

/** A package, a folder at the top, or `.` for the files at the top. */
export function areaOf(path: string): string {
  const [first, second] = path.split('/')
  if (second === undefined) return '.'
  return first === 'packages' ? `${first}/${second}` : first
}

const NOT_READ =
  /(^|\/)(dist|node_modules|generated)\/|^docs\/(api\/|errors\.md|sink-reference\.md)|^CHANGELOG\.md|^scripts\/(prose\/|test\/(prose|spelling))/

function sorted<V>(record: Readonly<Record<string, V>>): Record<string, V> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
