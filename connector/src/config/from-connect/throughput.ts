import type { ConnectConfig } from './connect-config.ts'
import type { Translating } from './draft.ts'

const PREFIX = 'azure.cosmos.throughputControl.'

/** What the connector might spend: a share of what was bought, alone or together with others. */
export function translateThroughput(config: ConnectConfig, { draft, change, needless }: Translating): void {
  const isOn = config.take(`${PREFIX}enabled`) === 'true'
  const options = new Map(config.takeAll(PREFIX))
  if (!isOn) {
    for (const name of options.keys()) needless(`${PREFIX}${name}`, 'did nothing: throughputControl.enabled is false')
    return
  }
  const ru = positive(options.get('targetThroughput'))
  const share = positive(options.get('targetThroughputThreshold'))
  if (ru !== undefined) draft.cosmos['share'] = ru
  else if (share !== undefined) draft.cosmos['share'] = `${Number((share * 100).toPrecision(6))}%`
  if (options.has('globalControl.database.name')) {
    change(
      `${PREFIX}globalControl.database.name`,
      'was where processes divided the budget: to share it here, name a Redis under cosmos.sharedThrough'
    )
  } else if (ru !== undefined || share !== undefined) {
    change(
      `${PREFIX}group.name`,
      'was a budget for each worker: several processes of this sink have as much each, unless cosmos.sharedThrough names a Redis'
    )
  }
  for (const name of ['priorityLevel', 'throughputBucket']) {
    const value = options.get(name)
    if (value !== undefined && value !== 'None' && value !== '-1')
      change(`${PREFIX}${name}`, 'has no equal: cosmos.share limits what the sink uses')
  }
  for (const name of options.keys()) {
    if (TRANSLATED.has(name)) continue
    needless(`${PREFIX}${name}`, 'is not needed: budgets need no container of their own')
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
