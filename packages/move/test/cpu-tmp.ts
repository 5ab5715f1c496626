import { runWorkers } from './simulation/run-workers.ts'
const [from, to] = process.argv.slice(2).map(Number)
for (let seed = from; seed <= to; seed++)
  for (const workers of [2, 3]) {
    const before = process.cpuUsage()
    const { lost, failures, isFinished, repaired, hasLateRequests, stragglers, kills, freezes } = await runWorkers({
      seed,
      workers,
      isDisturbed: true,
      returns: true
    })
    const a = process.cpuUsage(before)
    console.log(
      seed,
      workers,
      lost,
      failures,
      isFinished,
      hasLateRequests ? 0 : repaired,
      stragglers,
      kills,
      freezes,
      ((a.user + a.system) / 1e6).toFixed(1)
    )
  }
