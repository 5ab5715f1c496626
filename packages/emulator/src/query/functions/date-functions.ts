import { QueryError } from '../query-error.ts'
import { type BuiltinFunction, type FunctionFamily, takes } from './builtin-function.ts'
import { addToDate, dateFromParts, partBetween, partOf } from './date-parts.ts'
import { formatTicks, modulo, parseTicks, TICKS_PER_MS, toTicks } from './date-text.ts'

function now(compute: (nowMs: number) => unknown): BuiltinFunction {
  return {
    least: 0,
    most: 0,
    bind: (nowMs) => {
      if (nowMs === undefined) throw new QueryError(501, 'The query asks for the current time, which is not known here.')
      const value = compute(nowMs)
      return () => value
    }
  }
}

const currentDateTime = now((nowMs) => formatTicks(BigInt(Math.floor(nowMs)) * TICKS_PER_MS))
const currentTicks = now((nowMs) => Math.floor(nowMs) * Number(TICKS_PER_MS))
const currentTimestamp = now((nowMs) => Math.floor(nowMs))

/** Functions of dates, which are texts such as 2020-11-04T15:30:00.1234567Z, timestamps (ms) or ticks (100 ns), all since 1970. */
export const dateFunctions: FunctionFamily = {
  DATETIMEADD: takes(3, 3, (part, count, date) => dated(date, (ticks) => addToDate(part, count, ticks))),
  DATETIMEDIFF: takes(3, 3, (part, start, end) => dated(start, (from) => dated(end, (to) => partBetween(part, from, to)))),
  DATETIMEFROMPARTS: takes(3, 7, (...parts) => dateFromParts(parts)),
  DATETIMEPART: takes(2, 2, (part, date) => dated(date, (ticks) => partOf(part, ticks))),
  DATETIMETOTICKS: takes(1, 1, (date) => dated(date, (ticks) => Number(ticks))),
  DATETIMETOTIMESTAMP: takes(1, 1, (date) => dated(date, (ticks) => Number((ticks - modulo(ticks, TICKS_PER_MS)) / TICKS_PER_MS))),
  GETCURRENTDATETIME: currentDateTime,
  GETCURRENTDATETIMESTATIC: currentDateTime,
  GETCURRENTTICKS: currentTicks,
  GETCURRENTTICKSSTATIC: currentTicks,
  GETCURRENTTIMESTAMP: currentTimestamp,
  GETCURRENTTIMESTAMPSTATIC: currentTimestamp,
  TICKSTODATETIME: takes(1, 1, (ticks) => formatNumber(ticks, 1n)),
  TIMESTAMPTODATETIME: takes(1, 1, (timestamp) => formatNumber(timestamp, TICKS_PER_MS))
}

function formatNumber(value: unknown, ticksPerUnit: bigint): string | undefined {
  const units = toTicks(value)
  return units === undefined ? undefined : formatTicks(units * ticksPerUnit)
}

function dated(date: unknown, compute: (ticks: bigint) => unknown): unknown {
  const ticks = typeof date === 'string' ? parseTicks(date) : undefined
  return ticks === undefined ? undefined : compute(ticks)
}
