import { execFileSync } from 'node:child_process'

/**
 * Line numbers, by path, that were added after the last commit that changed the file `since`, including uncommitted
 * lines. Empty without git or without such a commit.
 */
export function addedLines(root: string, since: string): ReadonlyMap<string, ReadonlySet<number>> {
  try {
    const base = git(root, 'log', '-1', '--format=%H', '--', since).trim()
    return base === ''
      ? new Map()
      : readDiff(git(root, 'diff', '--unified=0', '--no-color', '--no-ext-diff', '--no-prefix', base))
  } catch {
    return new Map()
  }
}

/** Line numbers, by path, that a diff adds. The diff needs the options `--unified=0 --no-prefix`. */
export function readDiff(diff: string): ReadonlyMap<string, ReadonlySet<number>> {
  const added = new Map<string, Set<number>>()
  let lines = new Set<number>()
  for (const line of diff.split('\n')) {
    const file = /^\+\+\+ (.*)$/.exec(line)
    if (file !== null) added.set(file[1], (lines = new Set()))
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (hunk === null) continue
    const first = Number(hunk[1])
    for (let each = first; each < first + Number(hunk[2] ?? 1); each++) lines.add(each)
  }
  return added
}

function git(root: string, ...command: string[]): string {
  return execFileSync('git', command, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 256 * 1024 * 1024
  })
}
