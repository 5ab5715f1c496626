import { torture } from './torture.ts'

// node --conditions=@keystamp/source --import tsx packages/core/test/json/torture/run.ts [mutants] [seed]
const mutants = Number(process.argv[2] ?? 1_000_000)
const seed = Number(process.argv[3] ?? 1)
const report = torture(seed, mutants)
console.log(
  `${report.documents} documents, ${report.mutants} mutants, of which ${report.survivors} were valid and got a key; seed ${seed}`
)
for (const complaint of report.complaints) console.log(complaint)
process.exitCode = report.complaints.length === 0 ? 0 : 1
