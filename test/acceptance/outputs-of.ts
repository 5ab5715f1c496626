import { ROWS } from './rows.ts'

/** Output of the example of a row, line by line. */
export async function outputsOf(id: string): Promise<readonly string[]> {
  const row = ROWS.find((each) => each.id === id)
  if (row?.show === undefined) throw new Error(`The row ${id} shows nothing.`)
  const shown = await row.show()
  return shown.map(({ output }) => output)
}
