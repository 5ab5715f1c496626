import * as z from 'zod'
import type { SharedBudget } from '@keystamp/cosmos'
import type { CosmosSettings } from '../settings.ts'
import { topicName } from './kafka-schema.ts'
import { secret } from './secret-schema.ts'
import { duration } from './units.ts'

const name = z.string().regex(/^[^/\\?#]{1,255}$/, 'must be a name: 1 to 255 characters without / \\ ? #')

const SHARE = 'must be a number of RU/s, a per cent of what was bought such as 50%, or partitions'

const REDIS = 'must be the address of Redis, such as redis://localhost:6379'

const sharedThrough = z
  .strictObject({
    redis: z
      .string()
      .regex(/^rediss?:\/\/./, REDIS)
      .refine((address) => URL.canParse(address), REDIS)
      .meta({ title: 'secret', writeOnly: true, description: 'Where Redis is.', examples: ['redis://localhost:6379'] }),
    name: name
      .optional()
      .meta({ description: 'All who name the same budget share that of a container. Default: the host of the account and the database.' })
  })
  .transform((given) => ({ redis: given.redis, name: given.name }))

export const cosmosSchema: z.ZodType<CosmosSettings> = z
  .strictObject({
    endpoint: z
      .string()
      .regex(/^https?:\/\/[^/@\s?#]+\/?$/, 'must be the address of an account, such as https://my-account.documents.azure.com/')
      .meta({ description: 'Address of the account.', examples: ['https://my-account.documents.azure.com/'] }),
    key: secret('An account key. Without it Entra is asked, by `@azure/identity`.'),
    database: name.meta({ description: 'The database.', examples: ['fleet'] }),
    container: z.union([name, z.record(topicName, name)], { error: 'must be the name of a container, or containers by topic' }).meta({
      description: 'Where the records go: one container, a name with `${topic}` in it, or a container for each topic.',
      examples: ['drives']
    }),
    preferredRegions: z
      .array(z.string().min(1))
      .default([])
      .meta({ description: 'Regions to write to, nearest first, such as `West Europe`. Default: the order of the account.' }),
    share: z
      .union(
        [z.number().positive(SHARE), z.string().regex(/^(?:100|[1-9]\d?(?:\.\d+)?|0\.\d*[1-9]\d*)%$/, SHARE), z.literal('partitions')],
        SHARE
      )
      .optional()
      .meta({
        title: 'number, per cent or `partitions`',
        description:
          'What this sink may use: RU/s, a per cent of what was bought, or the part that goes with the topic partitions it owns. Default: `partitions`, or `100%` with `sharedThrough`.'
      }),
    sharedThrough: sharedThrough.optional().meta({ description: 'Processes spend one budget together, through Redis.' }),
    requestTimeout: duration({
      or: '10s',
      least: '100ms',
      most: '5m',
      says: 'How long Cosmos DB may take to answer; then it is asked again.'
    })
  })
  .transform(({ container, share, requestTimeout, ...cosmos }) => ({
    endpoint: cosmos.endpoint,
    key: cosmos.key,
    database: cosmos.database,
    container: typeof container === 'string' ? container : new Map(Object.entries(container)),
    preferredRegions: cosmos.preferredRegions,
    share: (share ?? (cosmos.sharedThrough === undefined ? 'partitions' : '100%')) as CosmosSettings['share'],
    sharedThrough: toBudget(cosmos.sharedThrough, `${new URL(cosmos.endpoint).host}/${cosmos.database}`),
    requestTimeoutMs: requestTimeout
  }))

function toBudget(given: { redis: string; name: string | undefined } | undefined, usualName: string): SharedBudget | undefined {
  return given === undefined ? undefined : new HiddenBudget(given.redis, given.name ?? usualName)
}

/** The address may hold a password: neither JSON nor an inspection shows it. */
class HiddenBudget implements SharedBudget {
  readonly #redis: string
  readonly name: string

  constructor(redis: string, budgetName: string) {
    this.#redis = redis
    this.name = budgetName
  }

  get redis(): string {
    return this.#redis
  }
}
