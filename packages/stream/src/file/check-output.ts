import { KeystampError } from '@keystamp/core'
import { identify, isSame } from './file-identity.ts'
import { formOfName, type InputForm } from './recognize-input.ts'
import type { StampFilesOptions } from './stamp-files-options.ts'

/** Refuses an output that would hold something else than its name says, or that would be read again as an input. */
export async function checkOutput({ inputs, output }: Pick<StampFilesOptions, 'inputs' | 'output'>, form: InputForm): Promise<void> {
  if (typeof output === 'string' && formOfName(output) === 'csv') {
    throw invalid(`${output} would hold JSON, not CSV: let the name of the output end in .ndjson.`)
  }
  // what is wrong with the name of an output is said where it is opened
  const present = await identify(output).catch(() => undefined)
  // a terminal is input and output at once
  if (present?.isFile() !== true) return
  for (const input of inputs) {
    if (!isSame(present, await identify(input))) continue
    const name = typeof input === 'string' ? input : 'Standard input'
    if (form === 'csv') throw invalid(`${name} is the output as well, and would hold JSON instead of CSV. Name another output.`)
    if (inputs.length > 1) throw invalid(`${name} is the output as well, and would grow with every run. Name an output that is no input.`)
    if (typeof output !== 'string')
      throw invalid(`${name} is the output as well, and would be read while it is written. Name another output.`)
  }
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
