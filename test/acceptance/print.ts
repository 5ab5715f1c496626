import { ROWS } from './rows.ts'

// prints every row of the two articles: its statement, the inputs and outputs of its example, and what is missing
for (const { id, says, keystamp, state, missing, show } of ROWS) {
  console.log(`${id}  ${state}\n    The article: ${says}\n    Keystamp:    ${keystamp}`)
  for (const { input, output } of (await show?.()) ?? []) console.log(`        ${input}\n     -> ${output}`)
  if (missing !== undefined) console.log(`    To come:     ${missing}`)
  console.log()
}
const count = (state: string): number => ROWS.filter((row) => row.state === state).length
console.log(`${ROWS.length} rows: ${count('built')} built, ${count('partly')} partly, ${count('not built')} not built`)
