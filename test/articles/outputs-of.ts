import { ROWS } from './rows.ts'

/** What a row's example puts out, line by line. */
export async function outputsOf(id: string): Promise<readonly string[]> {
  const row = ROWS.find((each) => each.id === id)
  if (row?.show === undefined) throw new Error(`The row ${id} shows nothing.`)
  const shown = await row.show()
  return shown.map(({ output }) => output)
}
