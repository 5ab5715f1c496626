import { parseIsoTime } from './iso-time.ts'

/** The instant, in milliseconds since 1970, that ISO 8601 text names; text without a zone is read as UTC. */
export function parseInstant(text: string): number | undefined {
  const time = parseIsoTime(text)
  return time && time.local - (time.offset ?? 0) * 60_000
}
