import { isDeepStrictEqual } from 'node:util'
import { KeystampError } from '@keystamp/core'
import type { ContainerDefinition } from '@keystamp/cosmos'
import { sideInCharge, SWITCH_CONTAINER, type SwitchRecord } from '../switch/switch-record.ts'
import { checkContainer, type CheckedContainer } from './check-parts.ts'
import type { Finding } from './check-report.ts'
import type { MoveProbe } from './move-probe.ts'

/** Result of the check of `move`. */
export interface CheckedMove {
  readonly findings: readonly Finding[]
  /** The new container; undefined if the sink could not write into it. */
  readonly container: CheckedContainer | undefined
}

/**
 * Checks the new container of a sink with `move`, before a switch depends on it, and what the switch record says.
 * `before`: the container in `cosmos`, if it passed its check.
 */
export async function checkMove(probe: MoveProbe, before: CheckedContainer | undefined): Promise<CheckedMove> {
  const findings: Finding[] = []
  const { settings } = probe
  const { container: name, database } = settings.cosmos
  let container: CheckedContainer | undefined
  await attempt(async () => {
    container = await checkContainer(name as string, settings, probe)
    findings.push(...container.warnings.map(warning))
    return `After the switch: ${container.sentence}`
  })
  if (container !== undefined) {
    const { definition } = container
    // a role can permit the writes of a sink, and no deletes
    const state = settings.cosmos.key === undefined ? 'warning' : 'failed'
    await attempt(async () => {
      await probe.tryDelete(definition)
      return `Cosmos DB permits writes in the container ${database}/${name as string}.`
    }, state)
    if (before !== undefined) findings.push(...differences(before.definition, definition).map(warning))
  }
  await attempt(async () => stateText(probe.id, await probe.readSwitch(), database))
  return { findings, container }

  async function attempt(check: () => Promise<string>, stateOfFailure: Finding['state'] = 'failed'): Promise<void> {
    try {
      findings.push({ of: 'move', state: 'ok', message: await check() })
    } catch (error) {
      const { message } = error as Error
      findings.push({ of: 'move', state: stateOfFailure, message: `move.to: ${withRemedy(error as Error, message)}` })
    }
  }
}

function withRemedy(error: Error, message: string): string {
  if (!(error instanceof KeystampError) || error.code !== 'CONTAINER_MISSING') return message
  return `${message} \`keystamp rekey --create\` creates it.`
}

function warning(message: string): Finding {
  return { of: 'move', state: 'warning', message }
}

/** Settings of the containers that differ, with the effect after the switch. */
function differences(before: ContainerDefinition, after: ContainerDefinition): readonly string[] {
  const found: string[] = []
  if (before.defaultTtl !== after.defaultTtl)
    found.push(
      `The new container has another default time to live: ${ttlText(after.defaultTtl)}, and ${ttlText(before.defaultTtl)} in the present one.`
    )
  if (!isDeepStrictEqual(before.indexingPolicy, after.indexingPolicy))
    found.push(
      'The new container has another indexing policy than the present one: queries may cost more, or fail, after the switch.'
    )
  if (!isDeepStrictEqual(new Set(before.uniqueKeys.map(pathsText)), new Set(after.uniqueKeys.map(pathsText))))
    found.push(
      'The new container has other unique keys than the present one: it may refuse records that are stored now.'
    )
  return found
}

function ttlText(ttl: number | undefined): string {
  if (ttl === undefined) return 'documents do not expire'
  return ttl === -1 ? 'documents with a `ttl` expire' : `documents without a \`ttl\` expire after ${ttl} s`
}

function pathsText(paths: readonly string[]): string {
  return paths.join(', ')
}

function stateText(id: string, record: SwitchRecord | undefined, database: string): string {
  const where = `The switch record ${id} in ${database}/${SWITCH_CONTAINER}`
  if (record === undefined) return `${where} does not exist yet: the sink writes to the container in \`cosmos\`.`
  const side = sideInCharge(record) === 'source' ? 'the container in `cosmos`' : 'the container in `move.to`'
  const state = record.state === 'requested' ? ', and a switch is in progress' : ''
  return `${where} says that the sink writes to ${side}${state}.`
}
