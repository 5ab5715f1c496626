// All fault scenarios, with as many seeds as wanted:
//   npm run test:faults -- --seeds 20               more of what is left to chance
// npm run test:faults -- --seeds 5 -t split       only those whose title says so; what is not known here goes to vitest
import { spawnSync } from 'node:child_process'

const words = process.argv.slice(2)
const at = words.indexOf('--seeds')
const seeds = at < 0 ? '1' : words[at + 1]
if (!/^[1-9]\d{0,4}$/.test(seeds ?? '')) {
  console.error('--seeds takes a whole number from 1 on.')
  process.exit(2)
}
const rest = at < 0 ? words : words.toSpliced(at, 2)
const { status } = spawnSync('node_modules/.bin/vitest', ['run', '--project', 'integration', 'faults', ...rest], {
  stdio: 'inherit',
  env: { ...process.env, KEYSTAMP_SEEDS: seeds }
})
process.exit(status ?? 1)
