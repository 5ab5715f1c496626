import { KeystampError } from '@keystamp/core'

/** What this writer may use of what was bought: RU/s over all ranges, or a per cent of the offer. */
export type Share = number | `${number}%`

/** RU/s over all ranges; undefined where nothing is known. */
export function toBudget(share: Share, offerRu: number | undefined): number | undefined {
  if (typeof share === 'number') return share
  return offerRu === undefined ? undefined : (offerRu * Number(share.slice(0, -1))) / 100
}

/** Throws OPTION_INVALID for what is no share. */
export function checkShare(share: Share): void {
  const number = typeof share === 'number' ? share : /^\d+(?:\.\d+)?%$/.test(share) ? Number(share.slice(0, -1)) : Number.NaN
  const isRight = number > 0 && Number.isFinite(number) && (typeof share === 'number' || number <= 100)
  if (!isRight) throw new KeystampError('OPTION_INVALID', '`share` must be a number of RU/s, or a per cent of the offer such as "50%".')
}
