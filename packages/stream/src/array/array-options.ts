import { KeystampError } from '@keystamp/core'
import type { BytesOptions } from '../bytes/bytes-options.ts'

/** What the stages over arrays can be told. */
export interface ArrayOptions extends BytesOptions {
  /** What comes out: lines of JSON, or an array again. Default: `lines`. */
  readonly to?: 'lines' | 'array' | undefined
  /** Names of members with dots between, such as `a.b`: where in a larger document the array stands. Default: the document is the array. */
  readonly pick?: string | undefined
}

export function checkArrayOptions({ to, pick }: ArrayOptions): void {
  if (to !== undefined && to !== 'lines' && to !== 'array') throw new KeystampError('OPTION_INVALID', '`to` must be "lines" or "array".')
  if (pick !== undefined && (typeof pick !== 'string' || pick === '')) {
    throw new KeystampError('OPTION_INVALID', '`pick` must name members with dots between, such as "a.b".')
  }
}
