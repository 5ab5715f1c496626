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

/** Throws OPTION_INVALID for what is no part of a share. */
export function checkPart(part: number): void {
  if (typeof part === 'number' && part > 0 && part <= 1) return
  throw new KeystampError('OPTION_INVALID', '`usePart` takes a number above 0 and at most 1, such as 0.25 for a quarter of the share.')
}

/** A warning about a number of RU/s that is so small that a percentage may be meant; undefined for other shares. */
export function smallShareWarning(share: Share): string | undefined {
  if (typeof share !== 'number' || share >= FEW_RU) return undefined
  // 0.5 of something is a half, and 50 are 50 percent
  const percent = share <= 1 ? Number((share * 100).toPrecision(6)) : share
  return `\`share\` is ${share}, which means ${share} RU/s. For ${percent} percent of the throughput write \`share: "${percent}%"\`.`
}

// a quarter of the throughput of the smallest container
const FEW_RU = 100
