import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { anchorsOf, linksOf } from './links-of.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const REPOSITORY = 'https://github.com/keystamp/keystamp/blob/main/'
const pages = filesOf('*.md').filter((path) => !path.startsWith('docs/api/'))
const sources = filesOf('*.ts', '*.mjs', '*.yml', '*.yaml').filter((path) => !/^scripts\/(?:test|prose)\//.test(path))

describe('the links of Markdown pages', () => {
  it('are found by this test', () => {
    expect(pages.length).toBeGreaterThan(40)
    expect(pages.flatMap((page) => linksOf(read(page)))).toContain('docs/quickstart.md')
  })

  it.each(pages)('lead from %s to files and headings that exist', (page) => {
    expect(linksOf(read(page)).filter((link) => isBroken(link, page))).toEqual([])
  })
})

describe('the pages that source files name', () => {
  it('exist and contain the named headings', () => {
    const named = sources.flatMap((source) =>
      [...read(source).matchAll(PAGE_IN_SOURCE)].map(([page]) => ({ source, page }))
    )

    expect(named.length).toBeGreaterThan(3)
    expect(named.filter(({ page }) => isBroken(page, 'README.md'))).toEqual([])
  })
})

describe('the index of the documentation', () => {
  it('leads to every page below docs', () => {
    const listed = linksOf(read('docs/README.md')).map((link) => join('docs', link))
    const written = pages.filter((page) => page.startsWith('docs/') && !/^docs\/(?:decisions\/\d|README)/.test(page))

    expect(written.filter((page) => !listed.includes(page))).toEqual([])
  })

  it('leads to every decision', () => {
    const listed = linksOf(read('docs/decisions/README.md')).map((link) => join('docs/decisions', link))

    expect(pages.filter((page) => /^docs\/decisions\/\d/.test(page) && !listed.includes(page))).toEqual([])
  })
})

// matches the page in a line such as `expect(page).toContain('docs/sink.md#waits')`, and in the runbook of an alert
const PAGE_IN_SOURCE = /(?<![\w/.-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g

function filesOf(...patterns: readonly string[]): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: ROOT,
    encoding: 'utf8'
  })
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)))
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function isBroken(link: string, page: string): boolean {
  const local = link.startsWith(REPOSITORY) ? relative(dirname(page), link.slice(REPOSITORY.length)) : link
  if (/^[a-z]+:/.test(local)) return false
  const [path, anchor] = decodeURI(local).split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(ROOT, target))) return true
  if (anchor === undefined || statSync(join(ROOT, target)).isDirectory() || !target.endsWith('.md')) return false
  return !anchorsOf(read(target)).has(anchor)
}
