// Runs all checks of the sources that need no tests. Prints a line for each check; the output of a failed check follows
// its line.
//   node scripts/check.mjs [name ...]           only the checks whose names begin with one of these words
//   node scripts/check.mjs --report file.json   also writes the outcomes as JSON
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { publicPackages } from './public-packages.mjs'

const { report, names } = readArguments(process.argv.slice(2))
const checks = allChecks().filter(({ name }) => names.length === 0 || names.some((word) => name.startsWith(word)))
if (checks.length === 0) {
  console.error(
    `No check begins with ${names.join(', ')}. There are: ${allChecks()
      .map(({ name }) => name)
      .join(', ')}.`
  )
  process.exit(2)
}

const outcomes = checks.map(runCheck)
if (report !== undefined) writeFileSync(report, JSON.stringify(outcomes))
const failed = outcomes.filter(({ ok }) => !ok)
console.log(
  failed.length === 0
    ? `All ${outcomes.length} checks passed.`
    : `${failed.length} of ${outcomes.length} checks failed: ${failed.map(({ name }) => name).join(', ')}.`
)
process.exit(failed.length === 0 ? 0 : 1)

function allChecks() {
  return [
    { name: 'format', run: ['oxfmt', '--check', '.'] },
    { name: 'lint', run: ['oxlint', '--quiet'] },
    { name: 'types', run: ['tsc', '--build'] },
    { name: 'test types', run: ['tsc', '-p', 'tsconfig.tests.json'] },
    { name: 'dead code', run: ['knip', '--no-progress', '--treat-config-hints-as-errors'] },
    { name: 'house', run: ['tsx', 'scripts/house.ts', '--check'] },
    { name: 'spelling', run: ['cspell', 'lint', '--no-progress', '--no-summary'] },
    { name: 'prose', run: ['tsx', 'scripts/prose-lint.ts', '--check'] },
    { name: 'docs', run: ['tsx', '--conditions=@keystamp/source', 'scripts/generate-docs.ts', '--check'] },
    { name: 'package types', run: ['tsx', 'scripts/check-package-types.mjs'] },
    ...publicPackages().map(({ folder }) => ({
      name: `package ${basename(folder)}`,
      run: ['publint', '--strict', folder]
    }))
  ]
}

function runCheck({ name, run: [tool, ...rest] }) {
  const start = performance.now()
  const { status, stdout, stderr, error } = spawnSync(`node_modules/.bin/${tool}`, rest, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const ok = status === 0
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  const output =
    error === undefined ? `${stdout}${stderr}`.trim() : `${tool} could not be started: ${error.message}. Run npm ci.`
  if (!ok) console.log(output.replaceAll(/^/gm, '       '))
  return { name, ok, output: ok ? '' : output }
}

function readArguments(words) {
  const at = words.indexOf('--report')
  if (at < 0) return { report: undefined, names: words }
  return { report: words[at + 1], names: [...words.slice(0, at), ...words.slice(at + 2)] }
}
