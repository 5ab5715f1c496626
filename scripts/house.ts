import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatted } from './docs/formatted.ts'
import {
  type CountName,
  COUNT_NAMES,
  findViolations,
  type HouseLimits,
  type HouseReport,
  LABELS,
  lowerLimits,
  reportHouse,
  smallFileLine
} from './house/limits.ts'
import { measurePackages, measureTests } from './house/measure.ts'

// Measures the shape of the sources: the number of files, small files, and rooms (folders directly below src) that import
// each other.
//   npm run house                  prints the measurements next to the limits and the goals
//   npm run house -- --check       fails if a measurement exceeds its limit in scripts/house-limits.json
//   npm run house -- --update      lowers the limits to the measurements; never raises a limit
//   ... --root folder              measures another repository
const words = process.argv.slice(2)
const root = words.includes('--root') ? words[words.indexOf('--root') + 1] : '.'
const path = join(root, 'scripts/house-limits.json')
const stored = JSON.parse(readFileSync(path, 'utf8')) as HouseLimits
const report = reportHouse(measurePackages(root), measureTests(root), stored.concepts)
const lowered = lowerLimits(report, stored)
const isUpdate = words.includes('--update')
if (isUpdate) writeFileSync(path, await formatted(path, JSON.stringify(lowered, null, 2)))
const limits = isUpdate ? lowered : stored

if (!words.includes('--check')) printShape(report)
for (const name of COUNT_NAMES) {
  console.log(`${LABELS[name]}: ${report.counts[name]} (limit ${limitOf(name)}, goal ${limits.goals[name]})`)
}
if (!isUpdate && JSON.stringify(lowered) !== JSON.stringify(stored)) {
  console.log('Some limits can be lowered: npm run house -- --update writes them to scripts/house-limits.json.')
}

const violations = findViolations(report, limits)
for (const violation of violations) console.error(violation)
if (words.includes('--check') && violations.length > 0) process.exitCode = 1

function printShape({ packages, smallFiles, longFiles }: HouseReport): void {
  for (const { name, files, pairs, roomsInCycles } of packages) {
    console.log(`${name}: ${files.length} files, ${files.reduce((all, { lines }) => all + lines, 0)} lines`)
    if (roomsInCycles.length > 0) console.log(`  rooms in a cycle: ${roomsInCycles.join(', ')}`)
    for (const pair of pairs) console.log(`  ${pair}`)
    for (const file of smallFiles) if (file.path.startsWith(`${name}/`)) console.log(smallFileLine(file))
  }
  for (const { path: long, lines } of longFiles) console.log(`${long}: ${lines} lines`)
}

function limitOf(name: CountName): number {
  switch (name) {
    case 'roomPairs':
    case 'roomsInCycles':
      return Object.values(limits[name]).flat().length
    case 'longFiles':
      return Object.keys(limits.longFiles).length
    default:
      return limits.limits[name]
  }
}
