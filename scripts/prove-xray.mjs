// Builds a container with each trouble that `keystamp xray` knows, and one that comes close to it, with 20 seeds each,
// and checks that the trouble is found with its number, and that nothing is found in the other container. Takes about
// ten minutes.
import { spawnSync } from 'node:child_process'

const args = ['vitest', 'run', '--project', 'integration', 'packages/cli/test/xray/planted-troubles.int.test.ts']
const { status } = spawnSync('npx', args, { stdio: 'inherit', env: { ...process.env, KEYSTAMP_XRAY_SEEDS: '20' } })
process.exitCode = status ?? 1
