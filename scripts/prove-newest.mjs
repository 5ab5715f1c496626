// Proves that sinks and writers with `newerBy` end with the newest change of each document, by random histories: records
// in any order, in any partition, twice, and read again from the beginning; deletes, markers that expire, changed keys,
// several sinks, another program that keeps to the rule, lost and late requests. The simulated ones also have patches,
// replicas that are behind, splits and crashes, in virtual time. The real ones have a Kafka and an emulator. An oracle
// that knows only the history judges them. Each failure names its seed.
//   npm run prove:newest                          500 simulated histories, and 50 real ones
//   npm run prove:newest -- --real 4              4 real ones
//   npm run prove:newest -- --simulated 0 --first-seed 7 --real 1    repeats one of them
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    simulated: { type: 'string', default: '500' },
    real: { type: 'string', default: '50' },
    'first-seed': { type: 'string', default: '1' },
    // each has a Kafka
    parallel: { type: 'string', default: '2' }
  }
})
const first = Number(values['first-seed'])
const results = []
await prove('simulated', Number(values.simulated), 1, 'long', 'packages/cosmos/test/newest', 'KEYSTAMP_SCHEDULES')
await prove(
  'real',
  Number(values.real),
  Number(values.parallel),
  'integration',
  'test/e2e/sink/newest-histories.int.test.ts',
  'KEYSTAMP_HISTORIES'
)
console.log(`${results.join('; ')}.`)

/** Runs histories with consecutive seeds in some processes at the same time. */
async function prove(kind, count, parallel, project, file, name) {
  if (count === 0) return
  const each = Math.ceil(count / parallel)
  const starts = Array.from({ length: parallel }, (_, index) => index * each).filter((start) => start < count)
  const codes = await Promise.all(
    starts.map((start) => {
      const env = { [name]: String(Math.min(each, count - start)), KEYSTAMP_FIRST_SEED: String(first + start) }
      return run(['vitest', 'run', '--project', project, '--reporter=verbose', file], env)
    })
  )
  const isGood = codes.every((code) => code === 0)
  if (!isGood) process.exitCode = 1
  results.push(
    `${count} ${kind} histories, seeds ${first} to ${first + count - 1}: ${isGood ? 'all as they must be' : 'FAILED'}`
  )
}

function run(args, env) {
  return new Promise((resolve) => {
    spawn('npx', args, { stdio: 'inherit', env: { ...process.env, ...env } }).once('exit', resolve)
  })
}
