import { PARTITIONING } from './b-partitioning.ts'
import type { Row } from './row.ts'
import { SYNTHETIC_KEYS } from './a-synthetic-keys.ts'

/** What both articles say, row by row. */
export const ROWS: readonly Row[] = [...SYNTHETIC_KEYS, ...PARTITIONING]
