// Proves that a move loses nothing: simulated moves in virtual time, moves with real processes that are killed at random
// while an application writes, and moves that two processes share, of which one is killed while the other one stands
// still. Without options, it takes about an hour on a machine that does nothing else:
// The real moves have all kinds of writes (create, upsert, replace, patch, delete, expiry, and changes of each part of the
// keys, there and back), with and without the feed of deletes and previous images; splits, and merges where Cosmos DB
// allows them; 429 for operations and requests, 410, resets, lost answers; clocks that are set; the switch and the way
// back. Only the simulated moves have replicas that are behind, and writes that are applied late.
//   npm run prove:move                          924 simulated moves, 100 real ones, and 20 that two processes share
//   npm run prove:move -- --real 10             10 real ones
//   npm run prove:move -- --simulated 0 --shared 0 --first-seed 7 --real 1    repeats one of them
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

/** Simulated moves of one seed: 15 of simulation.test.ts, 6 of turns.test.ts, and 7 of workers.test.ts. */
const MOVES_OF_A_SEED = 28
/** Least number of seeds of moves that two simulated processes share. */
const MIN_SHARED = 4

const { values } = parseArgs({
  options: {
    simulated: { type: 'string', default: '900' },
    real: { type: 'string', default: '100' },
    shared: { type: 'string', default: '20' },
    'first-seed': { type: 'string', default: '1' },
    parallel: { type: 'string', default: '2' }
  }
})
const first = values['first-seed']
const seeds = Math.ceil(Number(values.simulated) / MOVES_OF_A_SEED)
const results = []
if (seeds > 0) {
  const files = ['simulation', 'turns', 'workers'].map((name) => `packages/move/test/${name}.test.ts`)
  const moves = seeds * MOVES_OF_A_SEED + Math.max(0, MIN_SHARED - seeds)
  prove(`${moves} simulated moves, seeds ${first} to ${Number(first) + seeds - 1}`, 'unit', files, {
    KEYSTAMP_SEEDS: String(seeds)
  })
}
proveKilled(Number(values.real), 1, 'moves of killed processes')
proveKilled(Number(values.shared), 2, 'moves that two processes share')
console.log(
  `${results.map(({ title, isGood }) => `${title}: ${isGood ? 'all as they must be' : 'FAILED'}`).join('; ')}.`
)
process.exitCode = results.every(({ isGood }) => isGood) ? 0 : 1

function prove(title, project, files, env) {
  const args = ['vitest', 'run', '--project', project, '--reporter=dot', '--disable-console-intercept=true', ...files]
  run(title, 'npx', args, { KEYSTAMP_FIRST_SEED: first, ...env })
}

function proveKilled(count, workers, what) {
  if (count === 0) return
  const file = 'packages/cli/test/rekey/prove-killed-moves.ts'
  const args = ['--conditions=@keystamp/source', '--import', 'tsx', file]
  const options = [`--count=${count}`, `--first-seed=${first}`, `--parallel=${values.parallel}`, `--workers=${workers}`]
  const title = `${count} ${what}, seeds ${first} to ${Number(first) + count - 1}`
  run(title, process.execPath, [...args, ...options])
}

function run(title, command, args, env = {}) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  results.push({ title, isGood: status === 0 })
}
