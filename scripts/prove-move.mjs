// Proves that a move loses nothing: more than 900 simulated moves in virtual time, and moves with real processes that are
// killed at random while an application writes. 100 real ones take about half an hour:
//   npm run prove:move                          912 simulated moves and 100 real ones
//   npm run prove:move -- --real 10             10 real ones
//   npm run prove:move -- --simulated 0 --first-seed 7 --real 1    repeats one of them
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

/** Simulated moves of one seed: 12 of simulation.test.ts and 4 of turns.test.ts. */
const MOVES_OF_A_SEED = 16

const { values } = parseArgs({
  options: {
    simulated: { type: 'string', default: '900' },
    real: { type: 'string', default: '100' },
    'first-seed': { type: 'string', default: '1' },
    parallel: { type: 'string', default: '3' }
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
  const files = [`--max-concurrency=${values.parallel}`, 'packages/cli/test/rekey/killed-move.int.test.ts']
  prove(`${values.real} moves of killed processes, seeds ${first} to ${last}`, 'integration', files, {
    KEYSTAMP_MOVES: values.real
  })
}
console.log(
  `${results.map(({ title, isGood }) => `${title}: ${isGood ? 'all as they must be' : 'FAILED'}`).join('; ')}.`
)
process.exitCode = results.every(({ isGood }) => isGood) ? 0 : 1

function prove(title, project, files, env) {
  const args = ['vitest', 'run', '--project', project, '--reporter=dot', '--disable-console-intercept=true', ...files]
  const { status } = spawnSync('npx', args, {
    stdio: 'inherit',
    env: { ...process.env, KEYSTAMP_FIRST_SEED: first, ...env }
  })
  results.push({ title, isGood: status === 0 })
}
