import { parseDuration } from '@keystamp/planner'
import type { PlanDefinition } from '@keystamp/core'
import type { LeaseOptions, MoveContainerOptions, OpenMoveOptions } from '@keystamp/move'
import { type ContainerAccess, readContainer, readContainerPair } from '../containers/container-access.ts'
import type { Share } from '@keystamp/cosmos'
import { UsageError } from '../exit-codes.ts'
import { readPlanDefinition } from '../plan/read-plan.ts'
import { toCount } from '../shared-options.ts'

/** Options of `keystamp rekey`. */
export interface RekeyOptions {
  readonly from?: string
  readonly to?: string
  readonly plan?: string
  readonly journal?: string
  readonly workers?: string
  readonly leases?: string
  readonly leaseLength?: string
  readonly fence?: boolean
  readonly shareFrom?: string
  readonly shareTo?: string
  readonly bucket?: string
  readonly ttl?: string
  readonly keepIdIn?: string
  readonly deletes?: string
  readonly before?: string
  readonly after?: string
  readonly canceled?: string
  readonly sink?: string
  readonly sinkName?: string
  readonly hookTimeout?: string
  readonly maxLag?: string
  readonly http?: string
  readonly create?: boolean
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly json?: boolean
  readonly showIds?: boolean
  readonly quiet?: boolean
}

/** Values of options that are not given. */
const DEFAULTS = { shareFrom: '30%', shareTo: '80%', hookTimeout: '60s', maxLag: '10s' } as const

/** The steps of a move that other commands ask for. */
export const STEPS = ['status', 'switch', 'back', 'finish', 'abort', 'compare'] as const

export type Step = (typeof STEPS)[number]

/** Options that only the start of a move takes, with those that were given. */
export function startOptionsIn(options: RekeyOptions): readonly string[] {
  const { journal: _journal, json: _json, quiet: _quiet, ...others } = options
  return Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`]
  )
}

/** The folder of the journal. */
export function journalOf({ journal }: RekeyOptions): string {
  if (journal === undefined)
    throw new UsageError('Name the folder of the journal: --journal moves/drives. A new move creates it.')
  return journal
}

/** Settings of a move, checked before anything is sent. */
export interface RekeySettings {
  readonly move: Pick<
    OpenMoveOptions,
    'from' | 'to' | 'plan' | 'journal' | 'leases' | 'ttl' | 'keepIdIn' | 'deletes' | 'fence' | 'limits'
  >
  /** The containers without the options of the move. */
  readonly containers: readonly [ContainerAccess, ContainerAccess]
  readonly shares: readonly [Share, Share]
  readonly hookTimeoutMs: number
  readonly port: number | undefined
}

export async function readRekeySettings(
  options: RekeyOptions,
  env: Readonly<Record<string, string | undefined>>
): Promise<RekeySettings> {
  const journal = journalOf(options)
  if (options.plan === undefined) throw new UsageError('Name the key plan of the new container: --plan plan.json.')
  const plan: PlanDefinition = await readPlanDefinition(options.plan)
  if (options.from === undefined) throw new UsageError('Name the container that is in use: --from my-database/drives.')
  if (options.to === undefined) throw new UsageError('Name the new container: --to my-database/drives-2.')
  const [from, to] = await readContainerPair([options.from, options.to], 'rekey', env)
  if (from.endpoint === to.endpoint && from.database === to.database && from.container === to.container)
    throw new UsageError('--from and --to name the same container: a key cannot be changed in place.')
  const leases = await leasesOf(options, env)
  const bucket = bucketOf(options)
  const common: Pick<MoveContainerOptions, 'throughputBucket'> =
    bucket === undefined ? {} : { throughputBucket: bucket }
  const [shareFrom, shareTo] = [
    shareOf('--share-from', options.shareFrom ?? DEFAULTS.shareFrom),
    shareOf('--share-to', options.shareTo ?? DEFAULTS.shareTo)
  ]
  return {
    move: {
      from: { ...from, ...common, readShare: shareFrom, writeShare: shareFrom },
      to: { ...to, ...common, readShare: shareTo, writeShare: shareTo },
      plan,
      journal,
      ...(leases === undefined ? {} : { leases }),
      ttl: choiceOf('--ttl', options.ttl ?? 'remaining', ['remaining', 'restart']),
      deletes: choiceOf('--deletes', options.deletes ?? 'auto', ['auto', 'compare']),
      fence: options.fence === true,
      limits: { maxLagSeconds: secondsOf('--max-lag', options.maxLag ?? DEFAULTS.maxLag) },
      ...(options.keepIdIn === undefined ? {} : { keepIdIn: options.keepIdIn })
    },
    containers: [from, to],
    shares: [shareFrom, shareTo],
    hookTimeoutMs: secondsOf('--hook-timeout', options.hookTimeout ?? DEFAULTS.hookTimeout) * 1000,
    port: options.http === undefined ? undefined : portOf(options.http)
  }
}

/** The container in which several machines divide the work; undefined if this process does all of it. */
async function leasesOf(
  { workers, leases, leaseLength, sink }: RekeyOptions,
  env: Readonly<Record<string, string | undefined>>
): Promise<LeaseOptions | undefined> {
  if (workers === undefined) {
    const [given] = [leases && '--leases', leaseLength && '--lease-length'].filter((name) => name !== undefined)
    if (given !== undefined) throw new UsageError(`${given} needs --workers lease.`)
    return undefined
  }
  choiceOf('--workers', workers, ['lease'])
  if (sink !== undefined) throw new UsageError('--workers lease cannot be used with --sink.')
  if (leases === undefined)
    throw new UsageError('Name a container with the partition key /id for the leases: --leases my-database/leases.')
  const container = await readContainer(leases, 'rekey', env)
  const leaseMs = secondsOf('--lease-length', leaseLength ?? '60s') * 1000
  if (leaseMs < MIN_LEASE_MS) throw new UsageError('--lease-length takes at least 4s.')
  return { container, leaseMs }
}

const MIN_LEASE_MS = 4000

function shareOf(name: string, text: string): `${number}%` | number {
  const share = /^\d+(?:\.\d+)?%$/.test(text) ? (text as `${number}%`) : Number(text.replace(/\/s$/, ''))
  if (typeof share === 'string' ? Number(share.slice(0, -1)) > 0 && Number(share.slice(0, -1)) <= 100 : share > 0)
    return share
  throw new UsageError(`${name} takes a percentage of the provisioned throughput such as 30%, or RU/s, not "${text}".`)
}

function bucketOf({ bucket }: RekeyOptions): MoveContainerOptions['throughputBucket'] {
  if (bucket === undefined) return undefined
  if (!/^[1-5]$/.test(bucket)) throw new UsageError(`--bucket takes the number of a throughput bucket from 1 to 5.`)
  return Number(bucket) as 1 | 2 | 3 | 4 | 5
}

function choiceOf<T extends string>(name: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text)
  if (found === undefined) throw new UsageError(`${name} takes ${choices.join(' or ')}, not "${text}".`)
  return found
}

function secondsOf(name: string, text: string): number {
  const seconds = parseDuration(text)
  if (!seconds.ok) throw new UsageError(`${name} ${seconds.reason}.`)
  return seconds.value
}

function portOf(text: string): number {
  const port = toCount('--http', text, 5)
  if (port > 65_535) throw new UsageError('--http takes a port from 0 to 65535.')
  return port
}
