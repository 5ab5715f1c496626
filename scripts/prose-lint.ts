import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatted } from './docs/formatted.ts'
import { explainRise, findRises, lowerBaseline } from './prose/baseline.ts'
import { addedLines } from './prose/changed-lines.ts'
import { areaOf, countFindings, findIn, type ProseCounts, proseFiles } from './prose/measure-prose.ts'

// Finds unclear words and sentence forms in comments, strings, test titles and Markdown. scripts/prose/rules.ts has the
// rules.
//   npm run prose                          prints the number of findings by area and rule
//   npm run prose -- packages/core ...     prints each finding below these paths
//   npm run prose -- --check               fails if a rule has more findings in an area than
//                                          scripts/prose-baseline.json allows
//   npm run prose -- --update              lowers the baseline to the findings; never raises a number
//   ... --root folder                      reads another repository
const words = process.argv.slice(2)
const root = words.includes('--root') ? words[words.indexOf('--root') + 1] : '.'
const paths = words.filter((word, index) => !word.startsWith('--') && words[index - 1] !== '--root')
const path = join(root, 'scripts/prose-baseline.json')
const baseline = JSON.parse(readFileSync(path, 'utf8')) as ProseCounts
const findings = findIn(root, proseFiles(root))
const counts = countFindings(findings)
const lowered = lowerBaseline(counts, baseline)
const isLower = JSON.stringify(lowered) !== JSON.stringify(baseline)

if (paths.length > 0) printFindings()
else if (words.includes('--update')) writeFileSync(path, await formatted(path, JSON.stringify(lowered, null, 2)))
else if (words.includes('--check')) check()
else printCounts()
if (isLower && !words.includes('--update')) {
  console.log('Some findings are gone: npm run prose -- --update lowers the baseline in scripts/prose-baseline.json.')
}

function check(): void {
  const added = addedLines(root, 'scripts/prose-baseline.json')
  for (const rise of findRises(counts, baseline)) {
    const all = findings.filter(({ path: file, rule }) => areaOf(file) === rise.area && rule === rise.rule)
    const recent = all.filter(({ path: file, line }) => added.get(file)?.has(line) === true)
    console.error(explainRise(rise, recent.length > 0 ? recent : all))
    process.exitCode = 1
  }
}

function printFindings(): void {
  for (const { path: file, line, rule, found, instead } of findings.filter((each) => isSelected(each.path))) {
    console.log(`${file}:${line} ${rule} "${found}": ${instead}`)
  }
}

function isSelected(file: string): boolean {
  return paths.some((each) => file === each || file.startsWith(`${each.replace(/\/$/, '')}/`))
}

function printCounts(): void {
  for (const [area, rules] of Object.entries(counts)) {
    const list = Object.entries(rules).map(([rule, count]) => `${rule} ${count}`)
    console.log(`${area}: ${Object.values(rules).reduce((sum, count) => sum + count, 0)} (${list.join(', ')})`)
  }
  console.log(`${findings.length} findings in all.`)
}
