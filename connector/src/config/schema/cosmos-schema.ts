import * as z from 'zod'
import {
  looksLikeConnectionString,
  parseConnectionString,
  type PriorityOptions,
  type SharedBudget
} from '@keystamp/cosmos'
import { createSecret, secret } from '../secrets.ts'
import type { CosmosSettings, Secret } from '../settings.ts'
import { topicName } from './kafka-schema.ts'
import { duration } from './units.ts'

/** Name of a database or a container. */
export const name: z.ZodString = z
  .string()
  .regex(/^[^/\\?#]{1,255}$/, 'must be a name: 1 to 255 characters without / \\ ? #')

const SHARE =
  'must be a number of RU/s, a percentage of the provisioned throughput such as 50%, or the word "partitions"'

const ADDRESS = 'must be the address of an account, such as https://my-account.documents.azure.com/'

const MISPLACED = 'holds a connection string: write it as cosmos.connectionString'

const REDIS = 'must be the address of Redis, such as redis://localhost:6379'

const sharedThrough = z
  .strictObject({
    redis: z
      .string()
      .regex(/^rediss?:\/\/./, REDIS)
      .refine((address) => URL.canParse(address), REDIS)
      .meta({
        title: 'secret',
        writeOnly: true,
        description: 'Address of Redis.',
        examples: ['redis://localhost:6379']
      }),
    name: name.optional().meta({
      description:
        'Name of the budget. Processes with the same name share the budget of a container. Default: the host of the account and the database.'
    })
  })
  .transform((given) => ({ redis: given.redis, name: given.name }))

interface AccountKeys {
  readonly endpoint: z.ZodOptional<z.ZodString>
  readonly key: ReturnType<typeof secret>
  readonly connectionString: ReturnType<typeof secret>
}

/** The keys of an account: its address, and the credentials. */
export const accountKeys: AccountKeys = {
  endpoint: z
    .string()
    .regex(/^https?:\/\/[^/@\s?#]+\/?$/, {
      error: ({ input }) => (isConnectionString(input) ? MISPLACED : ADDRESS)
    })
    .optional()
    .meta({
      description: 'Address of the account. Required without `connectionString`.',
      examples: ['https://my-account.documents.azure.com/']
    }),
  key: secret('Account key. Without it, `@azure/identity` gets tokens of Entra.'),
  connectionString: secret(
    'Connection string, `AccountEndpoint=https://...;AccountKey=...;`, instead of `endpoint` and `key`. Without an `AccountKey`, tokens of Entra are used.'
  )
}

export const cosmosSchema: z.ZodType<CosmosSettings> = z
  .strictObject({
    ...accountKeys,
    database: name.meta({ description: 'Database.', examples: ['fleet'] }),
    container: z
      .union([name, z.record(topicName, name)], { error: 'must be the name of a container, or containers by topic' })
      .meta({
        description:
          'Container: one name, a name with `${topic}` or groups of `kafka.topicPattern` in it (`${1}`, `${region}`), or a name for each topic.',
        examples: ['drives']
      }),
    preferredRegions: z.array(z.string().min(1)).default([]).meta({
      description: 'Regions to write to, nearest first, such as `West Europe`. Default: the order of the account.'
    }),
    share: z
      .union(
        [
          z.number().positive(SHARE),
          z.string().regex(/^(?:100|[1-9]\d?(?:\.\d+)?|0\.\d*[1-9]\d*)%$/, SHARE),
          z.literal('partitions')
        ],
        SHARE
      )
      .optional()
      .meta({
        title: 'number, percentage or `partitions`',
        description:
          'RU budget of this sink: RU/s, a percentage of the provisioned throughput, or `partitions`: a sink that owns a quarter of the topic partitions then uses a quarter of the provisioned throughput. Default: `partitions`, or `100%` with `sharedThrough`.'
      }),
    sharedThrough: sharedThrough
      .optional()
      .meta({ description: 'RU budget that several processes share through Redis.' }),
    priority: z.enum(['high', 'low']).optional().meta({
      description:
        'With `low`, Cosmos DB throttles the writes of this sink before requests with `high`, if the account has priority-based execution. Default: the default of the account, `high`.'
    }),
    throughputBucket: z.number().int().min(1).max(5).optional().meta({
      description:
        'Throughput bucket of the container that the writes of this sink use, 1 to 5. Default: none, so that the writes are not limited by a bucket.'
    }),
    requestTimeout: duration({
      or: '10s',
      least: '100ms',
      most: '5m',
      says: 'Timeout for a request to Cosmos DB, after which the sink retries the request.'
    })
  })
  .transform(({ container, share, priority, throughputBucket, requestTimeout, ...cosmos }, context): CosmosSettings => {
    const account = toAccount(cosmos, (path, message) => context.addIssue({ code: 'custom', path: [path], message }))
    if (account === undefined) return z.NEVER
    return {
      ...account,
      database: cosmos.database,
      container: typeof container === 'string' ? container : new Map(Object.entries(container)),
      preferredRegions: cosmos.preferredRegions,
      share: (share ?? (cosmos.sharedThrough === undefined ? 'partitions' : '100%')) as CosmosSettings['share'],
      sharedThrough: toBudget(cosmos.sharedThrough, `${new URL(account.endpoint).host}/${cosmos.database}`),
      priority: {
        ...(priority === undefined ? {} : { priorityLevel: priority === 'low' ? 'Low' : 'High' }),
        ...(throughputBucket === undefined
          ? {}
          : { throughputBucket: throughputBucket as NonNullable<PriorityOptions['throughputBucket']> })
      },
      requestTimeoutMs: requestTimeout
    }
  })

interface GivenAccount {
  readonly endpoint?: string | undefined
  readonly key?: Secret | undefined
  readonly connectionString?: Secret | undefined
}

/** Returns undefined if it added a mistake. A rule in rules.ts checks that only one of the two forms is given. */
export function toAccount(
  { endpoint, key, connectionString }: GivenAccount,
  addMistake: (key: string, message: string) => void
): Pick<CosmosSettings, 'endpoint' | 'key'> | undefined {
  if (key !== undefined && isConnectionString(key.reveal())) {
    addMistake('key', MISPLACED)
    return undefined
  }
  if (connectionString !== undefined) return fromConnectionString(connectionString.reveal(), addMistake)
  if (endpoint !== undefined) return { endpoint, key }
  addMistake('endpoint', 'is missing')
  return undefined
}

function fromConnectionString(
  text: string,
  addMistake: (key: string, message: string) => void
): Pick<CosmosSettings, 'endpoint' | 'key'> | undefined {
  try {
    const { endpoint, key } = parseConnectionString(text)
    return { endpoint, key: key === undefined ? undefined : createSecret(key) }
  } catch (error) {
    // error messages of the parser never contain the key
    addMistake('connectionString', `cannot be read: ${(error as Error).message}`)
    return undefined
  }
}

function isConnectionString(text: unknown): boolean {
  return typeof text === 'string' && looksLikeConnectionString(text)
}

function toBudget(
  given: { redis: string; name: string | undefined } | undefined,
  usualName: string
): SharedBudget | undefined {
  return given === undefined ? undefined : new HiddenBudget(given.redis, given.name ?? usualName)
}

/** Address of Redis. JSON and inspection do not show it, since it may contain a password. */
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
