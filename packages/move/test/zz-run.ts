import { runMove, type Finding } from './simulation/run-move.ts'
const [finding, killed, behind, from = '1', to = '20'] = process.argv.slice(2)
for (let seed = Number(from); seed <= Number(to); seed++) {
  const v = await runMove({ seed, finding: finding as Finding, isKilled: killed === '1', isBehind: behind === '1' })
  const bad =
    v.differences.length +
    v.failures.length +
    (v.isFinished ? 0 : 1) +
    (v.hasLostAnswers || finding === 'sweep' ? 0 : v.repaired) +
    (behind === '1' ? 0 : v.rewound.length)
  if (bad > 0)
    console.log(seed, JSON.stringify({ ...v, differences: v.differences.slice(0, 5), n: v.differences.length }))
}
console.log('done')
