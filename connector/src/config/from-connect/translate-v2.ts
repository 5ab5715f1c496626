import { PATCH_OPERATIONS, WRITE_STRATEGIES } from '../strategy-names.ts'
import { type ConnectConfig, translateRejects } from './connect-config.ts'
import { toReference, toSecretReference, type Translating } from './draft.ts'
import { listOf, translateTopics } from './kafka-keys.ts'
import type { Transformed } from './transforms.ts'
import { translateId } from './translate-id.ts'

const SINK = 'azure.cosmos.sink.'

/** Translates the keys of `com.azure.cosmos.kafka.connect.CosmosSinkConnector`. */
export function translateV2(config: ConnectConfig, transformed: Transformed, translating: Translating): void {
  translateAccount(config, translating)
  translateTopics(config, `${SINK}containers.topicMap`, transformed.rename, translating)
  translateWrite(config, translating)
  translateId(config, `${SINK}id.strategy`, transformed, translating)
  translateRejects(config, config.take(`${SINK}errors.tolerance.level`), translating)
  translateThroughput(config, translating)
  for (const [key, why] of NEEDLESS) if (config.take(key) !== undefined) translating.needless(key, why)
}

const NEEDLESS: readonly (readonly [key: string, why: string])[] = [
  ['azure.cosmos.mode.gateway', 'is not needed: requests go over https to the gateway'],
  ['azure.cosmos.application.name', 'has no equivalent, and does not change what is stored'],
  ['azure.cosmos.applicationName', 'was never read by the connector'],
  [
    `${SINK}bulk.enabled`,
    'is not needed: the sink sends a single record without waiting, and batches records only while a request is in flight'
  ],
  [`${SINK}bulk.maxConcurrentCosmosPartitions`, 'is not needed: every range has its own queue'],
  [`${SINK}bulk.initialBatchSize`, 'is not needed: batches fill by themselves'],
  [`${SINK}maxRetryCount`, 'is not needed: the sink retries temporary errors by itself, with the partitions paused']
]

function translateAccount(config: ConnectConfig, translating: Translating): void {
  const { draft, refuse, change, needless } = translating
  const { cosmos } = draft
  const endpoint = config.take('azure.cosmos.account.endpoint')
  if (endpoint === undefined) refuse('azure.cosmos.account.endpoint', 'is missing: write it under cosmos.endpoint')
  else cosmos['endpoint'] = toReference('azure.cosmos.account.endpoint', endpoint, 'COSMOS_ENDPOINT', translating)
  const database = config.take(`${SINK}database.name`)
  if (database === undefined) refuse(`${SINK}database.name`, 'is missing: write it under cosmos.database')
  else cosmos['database'] = database
  const regions = listOf(config.take('azure.cosmos.preferredRegionList'))
  if (regions.length > 0) cosmos['preferredRegions'] = regions
  const key = config.take('azure.cosmos.account.key')
  const isEntra = config.take('azure.cosmos.auth.type')?.toLowerCase() === 'serviceprincipal'
  if (!isEntra) cosmos['key'] = toSecretReference('azure.cosmos.account.key', key ?? '', 'COSMOS_KEY', translating)
  else if (key !== undefined) needless('azure.cosmos.account.key', 'had no effect: auth.type is ServicePrincipal')
  for (const [name, variable] of ENTRA) {
    if (config.take(name) === undefined) continue
    if (isEntra)
      change(
        name,
        `belongs into the variable ${variable}, which @azure/identity reads; a managed identity needs no such variable`
      )
    else needless(name, 'had no effect: auth.type is MasterKey')
  }
  const cloud = config.take('azure.cosmos.account.environment')
  if (cloud !== undefined && cloud !== 'Azure')
    change(
      'azure.cosmos.account.environment',
      `is ${cloud}: for Entra set AZURE_AUTHORITY_HOST to the address of that cloud`
    )
}

const ENTRA: readonly (readonly [key: string, variable: string])[] = [
  ['azure.cosmos.account.tenantId', 'AZURE_TENANT_ID'],
  ['azure.cosmos.auth.aad.clientId', 'AZURE_CLIENT_ID'],
  ['azure.cosmos.auth.aad.clientSecret', 'AZURE_CLIENT_SECRET'],
  ['azure.cosmos.auth.aad.authEndpointOverride', 'AZURE_AUTHORITY_HOST']
]

function translateWrite(config: ConnectConfig, { draft, refuse, change, needless }: Translating): void {
  const key = `${SINK}write.strategy`
  const name = config.take(key) ?? 'ItemOverwrite'
  const strategy = WRITE_STRATEGIES[name]
  if (strategy === undefined) refuse(key, `is ${name}, which is none of ${Object.keys(WRITE_STRATEGIES).join(', ')}`)
  else if (strategy !== 'overwrite') draft.write['strategy'] = strategy
  const [usual, members, filter] = PATCH_KEYS.map((patchKey) => config.take(patchKey))
  if (strategy !== 'patch') {
    for (const [index, value] of [usual, members, filter].entries()) {
      if (value !== undefined) needless(PATCH_KEYS[index], `had no effect: the strategy is ${name}`)
    }
    return
  }
  const byMember = parseMembers(members ?? '')
  if (byMember === undefined)
    refuse(`${SINK}write.patch.property.configs`, 'cannot be read: write it under write.patch.properties')
  draft.write['patch'] = {
    operation: toOperation(usual ?? 'Set'),
    ...(byMember === undefined || Object.keys(byMember).length === 0 ? {} : { properties: byMember }),
    ...(filter === undefined ? {} : { condition: filter })
  }
  change(
    key,
    'a missing document, or one that does not meet the condition, made the task fail: check how the sink handles it'
  )
}

const PATCH_KEYS: readonly string[] = [
  `${SINK}write.patch.operationType.default`,
  `${SINK}write.patch.property.configs`,
  `${SINK}write.patch.filter`
]

function toOperation(name: string): string {
  return Object.entries(PATCH_OPERATIONS).find(([theirs]) => theirs.toLowerCase() === name.toLowerCase())?.[1] ?? name
}

/** Parses `property(x).op(set),property(y).path(/z).op(increment)`; undefined if the text has another form. */
function parseMembers(text: string): Readonly<Record<string, object>> | undefined {
  const entries = text.split(/,(?=\s*property\()/).map((entry) => entry.trim())
  const members: [string, object][] = []
  for (const entry of entries.filter((each) => each !== '')) {
    const [, name, rest = ''] = /^property\(([^)]+)\)((?:\.(?:path|op)\([^)]*\))*)$/.exec(entry) ?? []
    if (name === undefined) return undefined
    const path = /\.path\(([^)]*)\)/.exec(rest)?.[1]
    const operation = /\.op\(([^)]*)\)/.exec(rest)?.[1]
    members.push([
      name,
      {
        ...(operation === undefined ? {} : { operation: toOperation(operation) }),
        ...(path === undefined ? {} : { path })
      }
    ])
  }
  return Object.fromEntries(members)
}

const PREFIX = 'azure.cosmos.throughputControl.'

/** Translates throughput control: a share of the provisioned throughput, alone or together with other clients. */
function translateThroughput(config: ConnectConfig, { draft, change, needless }: Translating): void {
  const isOn = config.take(`${PREFIX}enabled`) === 'true'
  const options = new Map(config.takeAll(PREFIX))
  if (!isOn) {
    for (const name of options.keys()) needless(`${PREFIX}${name}`, 'had no effect: throughputControl.enabled is false')
    return
  }
  const ru = positive(options.get('targetThroughput'))
  const share = positive(options.get('targetThroughputThreshold'))
  if (ru !== undefined) draft.cosmos['share'] = ru
  else if (share !== undefined) draft.cosmos['share'] = `${Number((share * 100).toPrecision(6))}%`
  if (options.has('globalControl.database.name')) {
    change(
      `${PREFIX}globalControl.database.name`,
      'held the budget that processes shared: to share a budget here, name a Redis under cosmos.sharedThrough'
    )
  } else if (ru !== undefined || share !== undefined) {
    change(
      `${PREFIX}group.name`,
      'was a budget for each worker: here it is a budget for each process of the sink, unless cosmos.sharedThrough names a Redis'
    )
  }
  const priority = options.get('priorityLevel')?.toLowerCase()
  if (priority !== undefined && priority !== 'none') draft.cosmos['priority'] = priority
  const bucket = positive(options.get('throughputBucket'))
  if (bucket !== undefined) draft.cosmos['throughputBucket'] = bucket
  for (const name of options.keys()) {
    if (TRANSLATED.has(name)) continue
    needless(`${PREFIX}${name}`, 'is not needed: a budget needs no container of its own')
  }
}

const TRANSLATED: ReadonlySet<string> = new Set([
  'targetThroughput',
  'targetThroughputThreshold',
  'globalControl.database.name',
  'group.name',
  'priorityLevel',
  'throughputBucket'
])

function positive(text: string | undefined): number | undefined {
  const number = Number(text)
  return number > 0 ? number : undefined
}
