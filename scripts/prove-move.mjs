// Proves that a move loses nothing: 900 simulated moves in virtual time, and moves with real processes that are
// killed at random while an application writes. 100 real ones take about half an hour:
//   npm run prove:move                          903 simulated moves and 100 real ones
//   npm run prove:move -- --real 10             10 real ones
//   npm run prove:move -- --simulated 0 --first-seed 7 --real 1    repeats one of them
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

/** Simulated moves of one seed: 15 of simulation.test.ts and 6 of turns.test.ts. */
const MOVES_OF_A_SEED = 21

const { values } = parseArgs({
  options: {
    simulated: { type: 'string', default: '900' },
    real: { type: 'string', default: '100' },
    'first-seed': { type: 'string', default: '1' },
    parallel: { type: 'string', default: '2' }
  }
})
const first = values['first-seed']
const seeds = Math.ceil(Number(values.simulated) / MOVES_OF_A_SEED)
const results = []
if (seeds > 0) {
  const files = ['simulation', 'turns'].map((name) => `packages/move/test/${name}.test.ts`)
  prove(`${seeds * MOVES_OF_A_SEED} simulated moves, seeds ${first} to ${Number(first) + seeds - 1}`, 'unit', files, {
    KEYSTAMP_SEEDS: String(seeds)
  })
}
if (Number(values.real) > 0) {
  const last = Number(first) + Number(values.real) - 1
  const file = 'packages/cli/test/rekey/prove-killed-moves.ts'
  const args = ['--conditions=@keystamp/source', '--import', 'tsx', file]
  const options = [`--count=${values.real}`, `--first-seed=${first}`, `--parallel=${values.parallel}`]
  run(`${values.real} moves of killed processes, seeds ${first} to ${last}`, process.execPath, [...args, ...options])
}
console.log(
  `${results.map(({ title, isGood }) => `${title}: ${isGood ? 'all as they must be' : 'FAILED'}`).join('; ')}.`
)
process.exitCode = results.every(({ isGood }) => isGood) ? 0 : 1

function prove(title, project, files, env) {
  const args = ['vitest', 'run', '--project', project, '--reporter=dot', '--disable-console-intercept=true', ...files]
  run(title, 'npx', args, { KEYSTAMP_FIRST_SEED: first, ...env })
}

function run(title, command, args, env = {}) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  results.push({ title, isGood: status === 0 })
}
