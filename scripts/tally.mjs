// Summarizes a run of tests and checks:
//   node scripts/tally.mjs <exit code of npm test> <report of vitest> <exit code of npm run check> <report of the checks>
// Prints each failed and each skipped test, and at the end a line with the numbers. A run that failed without a report
// counts as one failure.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const [testExit, testReport, checkExit, checkReport] = process.argv.slice(2)
const tests = withExit('npm test', testExit, testOutcomes(readReport(testReport)?.testResults ?? []))
const checks = withExit('npm run check', checkExit, checkOutcomes(readReport(checkReport) ?? []))
const outcomes = [...tests, ...checks]
const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((state) =>
  outcomes.filter((each) => each.state === state)
)

for (const { title, detail } of failed) console.log(`FAILED  ${title}${detail === '' ? '' : `: ${detail}`}`)
for (const { title, detail } of skipped) console.log(`skipped ${title}: ${detail === '' ? 'no reason given' : detail}`)
console.log(`${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`)
process.exitCode = failed.length === 0 ? 0 : 1

function testOutcomes(files) {
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name)
    const found = assertionResults.map(({ fullName, status: state, failureMessages, meta }) => ({
      title: `${file}: ${fullName}`,
      state: state === 'passed' || state === 'failed' ? state : 'skipped',
      detail: state === 'failed' ? firstLine(failureMessages[0]) : (meta?.reason ?? '')
    }))
    // a file that could not be loaded, or whose hooks failed, has no failed test in the report
    const isSilent = status === 'failed' && found.every(({ state }) => state !== 'failed')
    return isSilent ? [...found, { title: file, state: 'failed', detail: firstLine(message) }] : found
  })
}

function checkOutcomes(found) {
  return found.map(({ name, ok, output }) => ({
    title: `check: ${name}`,
    state: ok ? 'passed' : 'failed',
    detail: firstLine(output)
  }))
}

function withExit(command, exit, found) {
  const hasFailure = found.some(({ state }) => state === 'failed')
  if (found.length > 0 && (exit === '0' || hasFailure)) return found
  const detail = found.length === 0 ? 'nothing was run' : 'all its tests or checks passed, but the command failed'
  return [...found, { title: `${command} ended with ${exit}`, state: 'failed', detail }]
}

function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

function firstLine(text = '') {
  const [line] = stripVTControlCharacters(text).trim().split('\n', 1)
  return line.length > 200 ? `${line.slice(0, 200)} ...` : line
}
