import { KeystampError } from '@keystamp/core'
import { type BigIntStats, fstat } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { formOfName, type InputForm } from '../inputs/recognize-input.ts'
import { ignoreMissing } from '../outputs/target.ts'
import type { StampFilesOptions } from './stamp-files-options.ts'

/** Refuses an output whose content would contradict its name, or that would be read again as an input. */
export async function checkOutput({ inputs, output }: Pick<StampFilesOptions, 'inputs' | 'output'>, form: InputForm): Promise<void> {
  if (typeof output === 'string' && formOfName(output) === 'csv') {
    throw outputRefusal(`${output} would hold JSON, not CSV: let the name of the output end in .ndjson.`)
  }
  // other mistakes in the name of an output are reported where it is opened
  const present = await identify(output).catch(() => undefined)
  // a terminal is input and output at once
  if (present?.isFile() !== true) return
  for (const input of inputs) {
    if (!isSame(present, await identify(input))) continue
    const name = typeof input === 'string' ? input : 'Standard input'
    if (form === 'csv') throw outputRefusal(`${name} is the output as well, and would hold JSON instead of CSV. Name another output.`)
    if (inputs.length > 1)
      throw outputRefusal(`${name} is the output as well, and would grow with every run. Name an output that is no input.`)
    if (typeof output !== 'string')
      throw outputRefusal(`${name} is the output as well, and would be read while it is written. Name another output.`)
  }
}

function outputRefusal(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}

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
