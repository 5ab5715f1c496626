import * as z from 'zod'

const MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const BYTES: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

/** Longest delay of a Node timer. */
const MAX_MS = 2 ** 31 - 1

interface Bounds {
  /** Default value. */
  readonly or: string
  readonly least: string
  readonly most?: string
  /** Description for the reference, one sentence. */
  readonly says: string
}

/** Parses a duration such as `250ms`, `30s`, `5m`, `12h` or `30d` to milliseconds. */
export function duration({ or, least, most, says }: Bounds): z.ZodType<number, string | undefined> {
  const from = toMs(least)
  const to = most === undefined ? MAX_MS : toMs(most)
  return z
    .string()
    .regex(/^\d+(?:\.\d+)?(?:ms|s|m|h|d)$/, 'must be a duration with its unit, such as 250ms, 30s or 5m')
    .default(or)
    .transform(toMs)
    .refine((ms) => ms >= from && ms <= to, { error: `must last ${range(least, most)}` })
    .meta({ title: 'duration', description: says })
}

/** Parses a size such as `512B`, `64KiB`, `16MiB` or `1GiB` to bytes. */
export function size({ or, least, most, says }: Bounds): z.ZodType<number, string | undefined> {
  const from = toBytes(least)
  const to = most === undefined ? Number.MAX_SAFE_INTEGER : toBytes(most)
  return z
    .string()
    .regex(/^\d+(?:\.\d+)?(?:B|KiB|MiB|GiB)$/, 'must be a size with its unit, such as 512KiB or 16MiB')
    .default(or)
    .transform(toBytes)
    .refine((bytes) => bytes >= from && bytes <= to, { error: `must be ${range(least, most)}` })
    .meta({ title: 'size', description: says })
}

/** Milliseconds of a valid duration. */
function toMs(text: string): number {
  return Math.round(Number.parseFloat(text) * MS[unitOf(text)])
}

function toBytes(text: string): number {
  return Math.round(Number.parseFloat(text) * BYTES[unitOf(text)])
}

function unitOf(text: string): string {
  return text.replace(/^[\d.]+/, '')
}

function range(least: string, most: string | undefined): string {
  return most === undefined ? `${least} or more` : `${least} to ${most}`
}

/** A JSON pointer to a value below the root. */
export const pointer: z.ZodType<string, string> = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~[01])+)+$/, 'must be a JSON pointer such as /expiry')

/** The word `never`, as seconds. */
export const never: z.ZodType<number, 'never'> = z.literal('never').transform(() => -1)

/** Parses a duration such as `30d` to whole seconds, as a `ttl`. */
export const wholeSeconds: z.ZodType<number, string> = z
  .string()
  .regex(/^\d+(?:s|m|h|d)$/, 'must be a duration in whole seconds such as 30d')
  .transform((text) => toMs(text) / 1000)
  .refine((seconds) => seconds >= 1 && seconds <= 2 ** 31 - 1, 'must last 1s to 24855d')
