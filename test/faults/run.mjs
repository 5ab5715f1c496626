// Runs all fault scenarios, with the given number of seeds:
//   npm run test:faults -- --seeds 20             each scenario with 20 seeds, so with 20 random courses
//   npm run test:faults -- --seeds 5 -t split     only scenarios with "split" in their title
// All options except --seeds are passed to vitest.
import { spawnSync } from 'node:child_process'

const words = process.argv.slice(2)
const at = words.indexOf('--seeds')
const seeds = at < 0 ? '1' : words[at + 1]
if (!/^[1-9]\d{0,4}$/.test(seeds ?? '')) {
  console.error('--seeds takes a whole number of at least 1.')
  process.exit(2)
}
const rest = at < 0 ? words : words.toSpliced(at, 2)
const { status } = spawnSync('node_modules/.bin/vitest', ['run', '--project', 'integration', 'faults', ...rest], {
  stdio: 'inherit',
  env: { ...process.env, KEYSTAMP_SEEDS: seeds }
})
process.exit(status ?? 1)
