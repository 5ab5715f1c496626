import { PARTITIONING } from './b-partitioning.ts'
import type { Row } from './row.ts'
import { SYNTHETIC_KEYS } from './a-synthetic-keys.ts'

/** Statements of both articles, row by row. */
export const ROWS: readonly Row[] = [...SYNTHETIC_KEYS, ...PARTITIONING]
