import * as z from 'zod'
import type { PlanDefinition } from '@keystamp/core'
import type { CosmosSettings, MoveSettings, SinkSettings } from '../settings.ts'
import { accountKeys, name, toAccount } from './cosmos-schema.ts'

const target = z
  .strictObject({
    ...accountKeys,
    endpoint: accountKeys.endpoint.meta({ description: 'Address of the account. Default: the account of `cosmos`.' }),
    database: name.optional().meta({ description: 'Database. Default: that of `cosmos`.' }),
    container: name.meta({ description: 'Container.', examples: ['drives-by-vin'] }),
    plan: z.record(z.string(), z.unknown()).meta({
      title: 'key plan',
      description: 'Key plan of the new container, inline or as the path of a file.',
      examples: [{ into: '/partitionKey', from: [{ field: '/vin' }] }]
    })
  })
  .transform(({ database, container, plan, ...given }, context): MoveSettings['to'] => {
    const hasAccount = Object.values(given).some((value) => value !== undefined)
    const account = hasAccount
      ? toAccount(given, (path, message) => context.addIssue({ code: 'custom', path: [path], message }))
      : undefined
    return { account, database, container, plan: plan as unknown as PlanDefinition }
  })

export const moveSchema: z.ZodType<MoveSettings> = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, `.`, `_` and `-`')
    .meta({
      description:
        'Name of the switch: the same in all processes of the group. The state of the switch is a document in the container `keystamp-moves` of the database of `to`.',
      examples: ['drives-by-vin']
    }),
  to: target.meta({ description: 'Container to write to after the switch.' })
})

/** The settings with which the sink writes after the switch. */
export function movedSettings(sink: SinkSettings, { to }: MoveSettings): SinkSettings {
  const { account, database = sink.cosmos.database, container, plan } = to
  const cosmos: CosmosSettings = { ...sink.cosmos, ...account, database, container }
  return { ...sink, cosmos, plan, move: undefined }
}
