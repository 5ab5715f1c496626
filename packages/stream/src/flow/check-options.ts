import { KeystampError } from '@keystamp/core'

/** Refuses options that nobody knows: a misspelled one would otherwise do nothing, silently. */
export function checkOptions(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name))
      throw new KeystampError('OPTION_INVALID', `The option \`${name}\` is not known here; known are ${known.join(', ')}.`)
  }
}

export const KEY_OPTIONS: readonly string[] = ['into', 'existing', 'random']
export const REJECT_OPTIONS: readonly string[] = ['onError', 'maxRejected']
export const BYTES_OPTIONS: readonly string[] = ['maxRecordBytes']
export const STREAM_OPTIONS: readonly string[] = ['signal', 'highWaterMark', 'progressEveryMs', 'now']
export const ARRAY_OPTIONS: readonly string[] = ['to', 'pick']
