// Draws 400 samples of 1,000, 10,000 and 100,000 of 1,000,000 documents for each distribution of keys, and prints how
// often the stated intervals have the true value. Takes some minutes.
import { spawnSync } from 'node:child_process'

const args = ['vitest', 'run', '--project', 'long', '--disable-console-intercept=true', 'packages/planner/test/model']
const { status } = spawnSync('npx', args, { stdio: 'inherit', env: { ...process.env, KEYSTAMP_PROVE: '1' } })
process.exitCode = status ?? 1
