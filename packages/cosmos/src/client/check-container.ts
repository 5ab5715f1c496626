import type { Plan } from '@keystamp/core'
import { type ContainerDefinition, membersOfPath, membersOfPointer } from './container.ts'
import { CosmosError } from './cosmos-error.ts'

/** Throws CONTAINER_MISMATCH when the plan writes another key than the container's partition key. */
export function checkContainer({ partitionKey }: ContainerDefinition, plan: Plan): void {
  const { paths, version } = partitionKey
  const stamped = plan.partitionKey
  if (!isSame(stamped.paths.map(membersOfPointer), paths.map(membersOfPath))) {
    throw mismatch(
      `The plan writes its key into ${list(stamped.paths)}, and the container is split by ${list(paths)}.`,
      'Change `into` in the plan, or write into a container with that key: it cannot be changed in place.'
    )
  }
  // labels and lengths of keys depend on how they are hashed
  if (stamped.version !== version && partitionKey.kind !== 'MultiHash') {
    throw mismatch(
      `The plan is made for hash version ${stamped.version}, and the container hashes by version ${version}.`,
      `Write \`"hashVersion": ${version}\` into the plan.`
    )
  }
}

/** Warnings about a container that works, but perhaps not as expected. */
export function warningsAbout({ uniqueKeys, partitionKey }: ContainerDefinition, plan: Plan | undefined): readonly string[] {
  const warnings = plan?.warnings.map(({ message }) => message) ?? []
  if (uniqueKeys.length > 0 && plan !== undefined) {
    const keys = uniqueKeys.map((paths) => paths.join(' with ')).join(', ')
    warnings.push(
      `The container has unique keys (${keys}). They hold within one value of ${list(partitionKey.paths)} only: a suffix makes each part of a key a space of its own.`
    )
  }
  return warnings
}

// plans quote unusual property names in another way than containers: `/a/b c` is `/a/"b c"` there
function isSame(stamped: readonly (readonly string[])[], keyed: readonly (readonly string[])[]): boolean {
  return JSON.stringify(stamped) === JSON.stringify(keyed)
}

function list(paths: readonly string[]): string {
  return paths.join(', ')
}

function mismatch(what: string, remedy: string): CosmosError {
  return new CosmosError('CONTAINER_MISMATCH', `${what} ${remedy}`)
}
