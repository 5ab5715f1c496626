import { KeystampError } from '@keystamp/core'
import type { ContainerDefinition } from '@keystamp/cosmos'
import type { WriteSettings } from '../config/settings.ts'
import { covers, type FixedPaths } from './fixed-paths.ts'
import { namesOf, pointerStep } from './json-value.ts'

/** Throws CONFIG_INVALID with everything that the write settings want and this container does not let them. */
export function checkWrite(
  write: WriteSettings,
  { partitionKey, defaultTtl }: Pick<ContainerDefinition, 'partitionKey' | 'defaultTtl'>,
  fixed: FixedPaths
): void {
  const kept = new Set(['id', ...partitionKey.paths.map((path) => namesOf(path)[0])])
  if (write.ttl !== undefined) kept.add('ttl')
  const mistakes = [
    ...write.drop
      .filter((name) => kept.has(name))
      .map((name) => `\`write.drop\` names ${JSON.stringify(name)}, which is written by the sink itself.`),
    ...mistakesOfMetadata(write, kept, fixed),
    ...mistakesOfPatch(write, fixed)
  ]
  if (write.ttl !== undefined && defaultTtl === undefined) {
    mistakes.push(
      '`write.ttl` does nothing: the container lets no document expire. Set its default TTL to -1: then only those expire that say so.'
    )
  }
  if (mistakes.length > 0) throw new KeystampError('CONFIG_INVALID', mistakes.join(' '))
}

function mistakesOfMetadata({ metadata }: WriteSettings, kept: ReadonlySet<string>, fixed: FixedPaths): readonly string[] {
  if (metadata === undefined) return []
  const { into } = metadata
  const isTaken = kept.has(into) || into === 'ttl' || fixed.includes(pointerStep(into))
  return isTaken ? [`\`write.metadata.into\` is ${JSON.stringify(into)}, which is written by the sink itself or by Cosmos DB.`] : []
}

function mistakesOfPatch({ patch }: WriteSettings, fixed: FixedPaths): readonly string[] {
  return [...(patch?.members ?? [])].flatMap(([name, { operation, path }]) => {
    const isFixed = path !== undefined && operation !== 'none' && fixed.some((each) => covers(each, path) || covers(path, each))
    return isFixed
      ? [`\`write.patch.members\` brings ${JSON.stringify(name)} to ${path}, which cannot be changed in a stored document.`]
      : []
  })
}
