import { parseQuery, runQuery } from '../../src/query/index.ts'

/** The time of every query in these tests: 2020-09-13T12:26:40.123Z. */
export const NOW_MS: number = 1_600_000_000_123

/** Runs the text of a query over documents. */
export const rowsOf = (
  text: string,
  documents: readonly unknown[] = [],
  parameters: Readonly<Record<string, unknown>> = {}
): unknown[] =>
  runQuery(parseQuery(text), { documents, parameters: new Map(Object.entries(parameters)), nowMs: NOW_MS })

/** The value of one expression, in which `c` is the document. */
export const valueOf = (
  expression: string,
  document: unknown = {},
  parameters: Readonly<Record<string, unknown>> = {}
): unknown => rowsOf(`SELECT VALUE ${expression} FROM c`, [document], parameters)[0]
