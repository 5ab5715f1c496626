import { createPlan, type Plan, type PlanDefinition } from '@keystamp/core'
import { type Account, openAccount, operationFor } from '@keystamp/cosmos'
import type { Surroundings } from '../surroundings.ts'
import { dryRun } from './dry-run.ts'
import { findCredentials } from './find-credentials.ts'
import type { PreparedLoad } from './prepare-load.ts'
import { readInput } from './read-input.ts'
import { createShape } from './shape-line.ts'

/** Opens the container and describes what the load would do. */
export async function dryRunOf(
  { target, plan: given, ids, strategy, share, inputs, format }: PreparedLoad,
  { env, stdin, signal }: Surroundings
): Promise<string> {
  const account = openAccount({ ...target, ...(await findCredentials(target, env)), metadataBy: 'direct' })
  try {
    const plan = given ?? (await planOfContainer(account))
    return await dryRun({
      account,
      plan,
      shape: createShape(given, ids),
      inputs,
      // the writer rejects a delete with an empty ETag
      lacksEtag: (stamped) => strategy === 'deleteIfNotModified' && operationFor(strategy, { stamped }).ifMatch === '',
      deed: strategy === 'delete' || strategy === 'deleteIfNotModified' ? 'deleted' : 'stored',
      read: (name) => readInput(name, format, { from: { line: 0, byte: 0 }, stdin, signal }),
      budgetOf: (offerRu) => {
        if (typeof share === 'number') return share
        return offerRu === undefined ? undefined : (offerRu * Number(share.slice(0, -1))) / 100
      }
    })
  } finally {
    account.close()
  }
}

async function planOfContainer(account: Account): Promise<Plan> {
  const { partitionKey } = await account.definition()
  const { paths, version: hashVersion } = partitionKey
  // no plan writes the id: here it is only looked at
  if (paths.join() === '/id') return createPlan({ into: '/unused', from: [{ field: '/id' }], existing: 'overwrite', hashVersion })
  const definition: PlanDefinition = {
    levels: paths.map((path) => ({ into: path, from: [path === '/id' ? { id: true } : { field: path, empty: { use: '' } }] })),
    hashVersion
  }
  return createPlan(definition, { requireId: true })
}
