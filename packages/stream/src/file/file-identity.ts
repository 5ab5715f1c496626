import { fstat, type BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { ignoreMissing } from './target.ts'

/** Identity of the file of a name or an open stream; undefined where there is none. */
export function identify(what: string | Readable | Writable): Promise<BigIntStats | undefined> {
  if (typeof what === 'string') return stat(what, { bigint: true }).catch(ignoreMissing)
  return 'fd' in what && typeof what.fd === 'number' ? statOpen(what.fd, { bigint: true }) : Promise.resolve(undefined)
}

const statOpen = promisify<number, { readonly bigint: true }, BigIntStats>(fstat)

/** Compares the files themselves: their names may be spelled differently, or be links. */
export function isSame(one: BigIntStats, other: BigIntStats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev
}
