// Runs the property tests several times, each time with another seed:
//   npm run test:seeds -- 20             20 times
//   npm run test:seeds -- 5 core         5 times, only files with "core" in their path
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [times = '1', ...filters] = process.argv.slice(2)
if (!/^[1-9]\d{0,4}$/.test(times)) {
  console.error('The number of runs must be a whole number of at least 1.')
  process.exit(2)
}
const files = ['packages', 'connector']
  .flatMap((root) => readdirSync(root, { recursive: true }).map((path) => join(root, path)))
  .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
  .filter((path) => filters.every((filter) => path.includes(filter)))
  .filter((path) => readFileSync(path, 'utf8').includes("from 'fast-check'"))

for (let time = 0; time < Number(times); time++) {
  const seed = String(randomInt(2 ** 31))
  console.log(`seed ${seed}`)
  const { status } = spawnSync('node_modules/.bin/vitest', ['run', '--silent', ...files], {
    stdio: 'inherit',
    env: { ...process.env, KEYSTAMP_SEED: seed }
  })
  if (status === 0) continue
  console.error(`To reproduce the failure: KEYSTAMP_SEED=${seed} npm test`)
  process.exit(1)
}
