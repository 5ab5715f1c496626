export type BucketUnit = 'year' | 'month' | 'day' | 'hour' | 'minute'

/** Number of characters of a bucket. It is constant for each unit, so that a key can be split from the right. */
export const BUCKET_LENGTH: Readonly<Record<BucketUnit, number>> = { year: 4, month: 7, day: 10, hour: 13, minute: 16 }

const DAY = 86_400_000
const FIRST_INSTANT = -62_167_219_200_000 // 0000-01-01
const LAST_INSTANT = 253_402_300_799_999 // 9999-12-31T23:59:59.999

/**
 * Creates a function that returns the bucket of a local time, such as `2018-08-09T07`; undefined outside the years 0000
 * to 9999.
 */
export function createBucketText(unit: BucketUnit, minutes: number): (local: number) => string | undefined {
  let dayNumber = Number.NaN
  let dayText = ''
  return (local) => {
    if (!(local >= FIRST_INSTANT && local <= LAST_INSTANT)) return undefined
    const number = Math.floor(local / DAY)
    if (number !== dayNumber) {
      dayText = new Date(number * DAY).toISOString().slice(0, Math.min(10, BUCKET_LENGTH[unit]))
      dayNumber = number
    }
    return unit === 'hour' || unit === 'minute' ? dayText + clockText(local - number * DAY, unit, minutes) : dayText
  }
}

/** Start of the bucket after the one that contains `local`. */
export function nextBucket(local: number, unit: BucketUnit, minutes: number): number {
  if (unit === 'year' || unit === 'month') {
    const date = new Date(local)
    const month = unit === 'year' ? 12 : date.getUTCMonth() + 1
    return new Date(0).setUTCFullYear(date.getUTCFullYear(), month, 1)
  }
  const length = unit === 'day' ? DAY : unit === 'hour' ? 3_600_000 : minutes * 60_000
  return (Math.floor(local / length) + 1) * length
}

/** Whether `createBucketText` can return this string. */
export function isBucketText(text: string, unit: BucketUnit, minutes: number): boolean {
  if (text.length !== BUCKET_LENGTH[unit]) return false
  const day = Date.parse(`${`${text.slice(0, 10)}-01-01`.slice(0, 10)}T00:00:00Z`)
  if (Number.isNaN(day)) return false
  const hour = unit === 'hour' || unit === 'minute' ? Number(text.slice(11, 13)) : 0
  const minute = unit === 'minute' ? Number(text.slice(14, 16)) : 0
  return createBucketText(unit, minutes)(day + (hour * 60 + minute) * 60_000) === text
}

function clockText(millis: number, unit: 'hour' | 'minute', minutes: number): string {
  const hour = Math.floor(millis / 3_600_000)
  const text = `T${two(hour)}`
  if (unit === 'hour') return text
  const minute = Math.floor(millis / 60_000) % 60
  return `${text}:${two(minute - (minute % minutes))}`
}

function two(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}
