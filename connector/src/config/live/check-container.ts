import { KeystampError } from '@keystamp/core'
import { checkContainer as checkPlanFits, type ContainerDefinition, type Offer } from '@keystamp/cosmos'
import type { Shaper } from '../../shape/shaper.ts'
import { whyUnresolved } from '../check/resolves-without-value.ts'
import type { SinkSettings } from '../settings.ts'
import type { LiveParts } from './live-parts.ts'

/** A container that is there and that the records can go to. */
export interface CheckedContainer {
  readonly shaper: Shaper
  readonly sentence: string
  readonly warnings: readonly string[]
}

/** Throws what stands in the way of writing into a container. */
export async function checkContainer(name: string, settings: SinkSettings, parts: LiveParts): Promise<CheckedContainer> {
  const account = await parts.openAccount(name)
  try {
    const definition = await account.definition()
    const shaper = parts.createShaper(definition)
    if (shaper.plan !== undefined) checkPlanFits(definition, shaper.plan)
    checkTombstones(name, definition, settings)
    const offer = await account.offer()
    const place = `${settings.cosmos.database}/${name}`
    return { shaper, sentence: sentenceOf(place, definition, offer, shaper.fingerprint), warnings: warningsOf(place, offer, settings) }
  } finally {
    account.close()
  }
}

function checkTombstones(name: string, { partitionKey }: ContainerDefinition, { plan, id, write }: SinkSettings): void {
  if (write.tombstones !== 'delete') return
  const why = whyUnresolved({ plan, id, keyPaths: partitionKey.paths })
  if (why === undefined) return
  throw new KeystampError('CONFIG_INVALID', `write.tombstones cannot be delete for the container ${name}: ${why}.`)
}

function sentenceOf(place: string, { partitionKey, defaultTtl }: ContainerDefinition, offer: Offer, fingerprint: string): string {
  const { paths, version } = partitionKey
  const expires =
    defaultTtl === undefined
      ? 'nothing expires'
      : defaultTtl === -1
        ? 'what says so expires'
        : `what does not say otherwise expires after ${defaultTtl} s`
  const bought = 'unknown' in offer ? '' : `, with ${offer.ruPerSecond.toLocaleString('en-US')} RU/s of the ${offer.of}`
  return `The container ${place} is split by ${paths.join(', ')} (hash version ${version}), ${expires}${bought}. Keys and ids are made by the plan ${fingerprint}.`
}

function warningsOf(place: string, offer: Offer, { cosmos }: SinkSettings): readonly string[] {
  if (!('unknown' in offer) || typeof cosmos.share === 'number') return []
  return [
    `What was bought for ${place} is not known: ${offer.unknown} Without a number under cosmos.share, only what is refused limits the sink.`
  ]
}
