import type { State } from '../../test/acceptance/row.ts'
import { ROWS } from '../../test/acceptance/rows.ts'
import { markdownTable } from './markdown-table.ts'

/** The state of every row of the articles. */
export function articlesTable(): string {
  const rows = ROWS.map(({ id, says, keystamp, state, missing }) => [
    id,
    says,
    keystamp,
    missing === undefined ? state : `${state}; to come: ${missing}`
  ])
  const sum = `${ROWS.length} rows: ${count('built')} built, ${count('partly')} partly built, ${count('not built')} not built yet.`
  return `${sum} \`npm run articles\` shows each row with its input and output.\n\n${markdownTable(['', 'The articles', 'Keystamp', 'State'], rows)}`
}

function count(state: State): number {
  return ROWS.filter((row) => row.state === state).length
}
