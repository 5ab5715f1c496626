import type { JsonTarget } from '../json/json-target.ts'

/** Writes 16 bytes as `"f81d4fae-7dec-11d0-a765-00a0c91e6bf6"`. */
export function writeUuid(target: JsonTarget, bytes: Uint8Array, start: number): void {
  let hex = ''
  for (let at = start; at < start + 16; at++) hex += bytes[at].toString(16).padStart(2, '0')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
  target.writeAscii(`"${parts.join('-')}"`)
}

/** Writes Avro's months, days and milliseconds as ISO 8601 does: `"P1M2DT3.004S"`. */
export function writeDuration(target: JsonTarget, view: DataView, start: number): void {
  const [months, days, millis] = [0, 4, 8].map((at) => view.getUint32(start + at, true))
  const time = millis === 0 ? '' : `T${millis / 1000}S`
  const date = `${months === 0 ? '' : `${months}M`}${days === 0 ? '' : `${days}D`}`
  target.writeAscii(date === '' && time === '' ? '"PT0S"' : `"P${date}${time}"`)
}
