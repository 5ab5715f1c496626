import { KeystampError } from '@keystamp/core'
import { type ContainerDefinition, CosmosError } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import { checkMove } from '../../src/check/check-move.ts'
import { checkContainer } from '../../src/check/check-parts.ts'
import type { Finding } from '../../src/check/check-report.ts'
import { type MoveProbe, openMoveProbe } from '../../src/check/move-probe.ts'
import { createSecret } from '../../src/config/secrets.ts'
import { createRecordMapper } from '../../src/map/record-mapper.ts'
import { sinkOf } from '../config/read-text.ts'

const OLD: ContainerDefinition = {
  rid: 'r',
  partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 },
  defaultTtl: undefined,
  indexingPolicy: { indexingMode: 'consistent' },
  uniqueKeys: []
}
const NEW: ContainerDefinition = { ...OLD, partitionKey: { ...OLD.partitionKey, paths: ['/vin'] } }
const CONFIG = `plan: { into: /pk, from: [{ field: /day }] }
move: { name: by-vin, to: { container: by-vin, plan: { into: /vin, from: [{ field: /vin }] } } }
`

const open = (definition: ContainerDefinition) => async () => ({
  definition: async () => definition,
  offer: async () => ({ ruPerSecond: 4000, of: 'container' }) as const,
  hasWriteRegions: async () => false,
  close: () => {}
})
const refused = (text: string) => () => Promise.reject(new KeystampError('COSMOS_UNAUTHORIZED', text))

/** Checks the move of a sink between two healthy containers, except for the overrides. */
async function check({
  after = NEW,
  hasKey = false,
  ...overrides
}: { after?: ContainerDefinition; hasKey?: boolean } & Partial<MoveProbe> = {}) {
  const settings = await sinkOf(CONFIG)
  const before = await checkContainer('drives', settings, {
    openAccount: open(OLD),
    createRecordMapper: (container) => createRecordMapper({ settings, container })
  })
  const opened = openMoveProbe(settings, settings.move!)
  const key = hasKey ? createSecret('a key') : undefined
  const probe = { ...opened, settings: { ...opened.settings, cosmos: { ...opened.settings.cosmos, key } } }
  const healthy: MoveProbe = {
    ...probe,
    openAccount: open(after),
    readSwitch: async () => undefined,
    tryDelete: async () => {}
  }
  return (await checkMove({ ...healthy, ...overrides }, before)).findings
}

function messages(findings: readonly Finding[], state: Finding['state']): readonly string[] {
  return findings.filter((each) => each.state === state).map(({ message }) => message)
}

describe('the check of a sink with `move`', () => {
  it('reports the new container, the permission to write, and the container in charge', async () => {
    const findings = await check()
    expect(messages(findings, 'ok')).toEqual([
      expect.stringMatching(/^After the switch: The container fleet\/by-vin is partitioned by \/vin/),
      'Cosmos DB permits writes in the container fleet/by-vin.',
      'The switch record by-vin:keystamp-drives in fleet/keystamp-moves does not exist yet: the sink writes to the container in `cosmos`.'
    ])
    expect(findings).toHaveLength(3)
  })

  it.each([
    ['requested', 'the container in `cosmos`, and a switch is in progress'],
    ['switched', 'the container in `move.to`'],
    ['canceled', 'the container in `cosmos`']
  ] as const)('reports the container in charge after a switch was %s', async (state, text) => {
    const record = { id: 'by-vin:keystamp-drives', group: 'keystamp-drives', round: 1, to: 'target', state } as const
    expect(messages(await check({ readSwitch: async () => record }), 'ok').at(-1)).toContain(
      `says that the sink writes to ${text}.`
    )
  })

  it('fails if there is no new container, and names the command that creates it', async () => {
    const missing = new CosmosError('CONTAINER_MISSING', 'There is no such container.')
    const findings = await check({ openAccount: () => Promise.reject(missing) })
    expect(messages(findings, 'failed')).toEqual([
      'move.to: There is no such container. `keystamp rekey --create` creates it.'
    ])
  })

  it('fails if the new container has another partition key than the plan writes', async () => {
    expect(messages(await check({ after: OLD }), 'failed')).toEqual([expect.stringMatching(/^move\.to: .*\/pk/)])
  })

  it('fails if Cosmos DB refuses writes, or the switch record cannot be read; a role may lack only deletes', async () => {
    const refusals = { tryDelete: refused('No writes.'), readSwitch: refused('No reads.') }
    const byRole = await check(refusals)
    expect(messages(byRole, 'failed')).toEqual(['move.to: No reads.'])
    expect(messages(byRole, 'warning')).toEqual(['move.to: No writes.'])
    const withKey = await check({ ...refusals, hasKey: true })
    expect(messages(withKey, 'failed')).toEqual(['move.to: No writes.', 'move.to: No reads.'])
  })

  it('warns of another time to live, another indexing policy, and other unique keys', async () => {
    const after = { ...NEW, defaultTtl: 60, indexingPolicy: { indexingMode: 'none' }, uniqueKeys: [['/a', '/b']] }
    expect(messages(await check({ after }), 'warning')).toEqual([
      'The new container has another default time to live: documents without a `ttl` expire after 60 s, and documents do not expire in the present one.',
      expect.stringContaining('another indexing policy'),
      expect.stringContaining('other unique keys')
    ])
  })
})
