import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CosmosClient, PartitionKeyDefinitionVersion, PartitionKeyKind } from '@azure/cosmos'
import type { PlanDefinition } from '@keystamp/core'
import { type EmulatorProcess, startEmulatorProcess } from '@keystamp/emulator'
import { createRandom, type Random } from '@keystamp/testkit'
import { runCommand } from '../run-command.ts'
import { Disturbances } from './disturbances.ts'
import { DriveWriter, type Drive } from './drive-writer.ts'
import type { ApplicationFiles } from './moving-application.ts'
import { RekeyGroup, RekeyProcess } from './rekey-process.ts'
import { Progress } from './progress.ts'
import { RestlessApplication } from './restless-application.ts'

/** Result of a move with real processes. */
export interface KilledMove {
  /** Differences between the containers and the log of the application. */
  readonly wrong: readonly string[]
  /** How often processes were killed and stood still, partitions were split and merged, and clocks were set. */
  readonly disturbances: Readonly<Record<'kills' | 'freezes' | 'splits' | 'merges' | 'jumps', number>>
  /** Steps that were done, in order. */
  readonly steps: readonly string[]
  /** Writes of each kind that Cosmos DB has acknowledged. */
  readonly writes: Readonly<Record<string, number>>
  /** How deletes and former places are found. */
  readonly finding: string
}

export interface KilledMoveOptions {
  /** Processes that share the move by leases. Default: one process without leases. */
  readonly workers?: number
  /** Time after which a move that is not done has failed: the error tells what it waits for. Default: 210,000. */
  readonly limitMs?: number
}

const IDENTITY: PlanDefinition = { into: '/partitionKey', from: [{ field: '/deviceId' }, { id: true }] }
const FIELDS: PlanDefinition = { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/date' }] }
const LEASE_MS = 15_000
const LIMIT_MS = 210_000

/**
 * Moves a container while writers change it in all ways and the processes of the move are killed again and again: one to
 * three switches there and back, then the end. Compares both containers with the log of the writers.
 */
export async function runKilledMove(
  seed: number,
  { workers = 1, limitMs = LIMIT_MS }: KilledMoveOptions = {}
): Promise<KilledMove> {
  const random = createRandom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-move-'))
  const emulator = await startEmulatorProcess({ ranges: 2 })
  const plan = random.chance(0.5) ? IDENTITY : FIELDS
  const files = { frozen: join(folder, 'frozen'), moved: join(folder, 'moved'), stopped: join(folder, 'stopped') }
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan))
  const feed = random.pick(['none', 'versions', 'versions', 'images'] as const)
  await createContainers(emulator, feed)
  const writer = new DriveWriter(emulator, ['drives', 'drives-2'], plan)
  const application = new RestlessApplication(createRandom(seed), writer, files, 20)
  const names = Array.from({ length: workers }, (_, each) => join(folder, `journal-${each}`))
  const clockFiles = random.chance(0.5) ? names.map((name) => `${name}-clock`) : []
  const isShared = workers > 1
  const disturbances = new Disturbances({
    random,
    emulator,
    canMerge: feed === 'none',
    clockFiles,
    // a jump ends the leases of a process
    jumpEveryMs: isShared ? 2 * LEASE_MS : 500
  })
  const steps: string[] = []
  const progress = new Progress(names, limitMs)
  let group: RekeyGroup | undefined
  try {
    await application.fill(150)
    await disturbances.start()
    application.start()
    const args = argumentsOf(emulator, folder, files, isShared)
    group = new RekeyGroup(
      random,
      names.map((journal) => new RekeyProcess({ journal, args, clockFile: `${journal}-clock` }))
    )
    // Of several processes, none has an index of all copies. Without it, only previous images tell former places; a
    // delete tells the new place if that follows from the identity, but not the old one: 7 and "7" are the same text.
    const seesAll = (isMoved: boolean): boolean =>
      feed === 'images' || (feed === 'versions' && (!isShared || (plan === IDENTITY && !isMoved)))
    const world = { random, group, application, disturbances, steps, seesAll, progress }
    await Promise.race([takeTurns(world), progress.limit()])
    await disturbances.stop()
    await disturbances.stopFaults()
    const { kills, freezes } = group
    const { splits, merges, jumps } = disturbances
    return {
      wrong: [...(await wrongIn(writer, application)), ...needlessIndexes(names, feed)],
      disturbances: { kills, freezes, splits, merges, jumps },
      steps,
      writes: application.counts,
      finding: `${plan === IDENTITY ? 'identity' : 'fields'}, ${feed}`
    }
  } finally {
    progress.stop()
    await disturbances.stop()
    await group?.stop()
    // the hooks of a killed process may have left it
    rmSync(files.frozen, { force: true })
    await application.stop()
    writer.close()
    await emulator.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface World {
  readonly random: Random
  readonly group: RekeyGroup
  readonly application: RestlessApplication
  readonly disturbances: Disturbances
  readonly steps: string[]
  /** Whether every delete and every former place is known without a comparison. */
  readonly seesAll: (isMoved: boolean) => boolean
  readonly progress: Progress
}

async function takeTurns(world: World): Promise<void> {
  const { random, group, application, disturbances, steps, seesAll } = world
  const begun = (): boolean => group.statuses.some(({ phase }) => phase === 'follow')
  world.progress.begin('the first phase `follow`')
  await disturbUntil(world, begun, 1 + random.below(2))
  let isMoved = false
  for (let count = 1 + random.below(3); count > 0; count--) {
    const step = isMoved ? 'back' : 'switch'
    let isDone = false
    const asked = askUntil(world, step, isMoved ? 'follow' : 'reverse').finally(() => {
      isDone = true
    })
    await Promise.all([asked, disturbUntil(world, () => isDone, random.below(3))])
    steps.push(step)
    isMoved = !isMoved
    await sleep(500 + random.below(2500))
  }
  disturbances.setClocksRight()
  world.progress.begin('the end of the writes')
  const isKilled = random.chance(0.3)
  if (isKilled) group.disturb(LEASE_MS)
  await application.stop()
  // deletes that no feed shows, and late requests of the killed process, are found by a comparison
  if (!seesAll(isMoved) || isKilled) await askUntil(world, 'compare')
  else if (!isMoved) await caughtUp(world, Date.now())
  const end = isMoved ? 'finish' : 'abort'
  await askUntil(world, end, isMoved ? 'finished' : 'aborted')
  steps.push(end)
  world.progress.begin('the end of the processes')
  await group.ended()
}

/** Differences between the containers and the log of the application. */
async function wrongIn(writer: DriveWriter, { log }: RestlessApplication): Promise<readonly string[]> {
  const drives = [...log.values()]
  const stamped = drives.map((drive) => writer.stamp(drive).record)
  const [old, created] = [await writer.readAll('old'), await writer.readAll('new')]
  return [
    ...differences('old', drives.map(withoutTtl), old.map(withoutTtl)),
    ...differences('new', stamped.map(withoutTtl), created.map(withoutTtl).map(withoutMark))
  ]
}

/** With previous images, a move needs no index. */
function needlessIndexes(journals: readonly string[], feed: string): readonly string[] {
  if (feed !== 'images') return []
  return journals.map((journal) => join(journal, 'index-forward')).filter((path) => existsSync(path))
}

/** The copies keep the time that was left. */
function withoutTtl(drive: Partial<Drive>): object {
  return without(drive, 'ttl')
}

/** The move marks what it has changed for the way back. */
function withoutMark(copy: object): object {
  return without(copy, '_keystamp')
}

function without(document: object, name: string): object {
  return Object.fromEntries(Object.entries(document).filter(([each]) => each !== name))
}

/** Kills a process some times, at random, while something is not done; of several processes, another one stands still. */
async function disturbUntil({ random, group, progress }: World, isDone: () => boolean, times: number): Promise<void> {
  for (let count = 0; count < times && !isDone(); count++) {
    await sleep(300 + random.below(3500))
    progress.check(group)
    if (!isDone()) group.disturb(LEASE_MS)
  }
  while (!isDone()) {
    progress.check(group)
    await sleep(50)
  }
}

/** Asks for a step until it is done: a killed process may have done it without an answer. */
async function askUntil({ group, progress }: World, step: string, phase?: string): Promise<void> {
  progress.begin(`\`rekey ${step}\``)
  for (;;) {
    const { journal } = group
    if (journal !== undefined) {
      const { code, stdout, stderr } = await runCommand(['rekey', step, '--journal', journal])
      const isThere = phase !== undefined && (stdout.includes(`the phase ${phase}.`) || stdout.includes(`(${phase}).`))
      if (code === 0 || (code === 4 && isThere)) return
      if (code !== 4) throw new Error(`${step}: ${code}: ${stdout}${stderr}`)
      progress.answer = `${stdout}${stderr}`.trim()
      // of several processes, one that stands still cannot tell what it has written
      if (group.processes.length === 1 && stdout.includes('other programs'))
        throw new Error(`The move takes its own writes for those of others: ${stdout}`)
    }
    await sleep(500)
    progress.check(group)
  }
}

/** Waits until all changes before a time are copied. */
async function caughtUp({ group, progress }: World, ms: number): Promise<void> {
  progress.begin('the copy of the last changes')
  const isCaughtUp = (): boolean =>
    group.statuses.some(
      ({ at, lagSeconds = Number.POSITIVE_INFINITY }) => Date.parse(at) - lagSeconds * 1000 >= ms + CLOCK_MS
    )
  while (!isCaughtUp()) {
    progress.check(group)
    await sleep(50)
  }
}

/** A process notices within this time that its clock was set. */
const CLOCK_MS = 1000

function argumentsOf(
  { endpoint }: EmulatorProcess,
  folder: string,
  { frozen, moved, stopped }: Required<ApplicationFiles>,
  isShared: boolean
): readonly string[] {
  const before = `touch ${frozen}; n=0; until [ -e ${stopped} ] || [ $((n=n+1)) -gt 400 ]; do sleep 0.05; done; [ -e ${stopped} ]`
  const after = `if [ "$KEYSTAMP_DIRECTION" = forward ]; then touch ${moved}; else rm -f ${moved}; fi; rm -f ${frozen}`
  const leases = ['--workers', 'lease', '--leases', `${endpoint}fleet/leases`, '--lease-length', `${LEASE_MS / 1000}s`]
  return [
    ...['--from', `${endpoint}fleet/drives`, '--to', `${endpoint}fleet/drives-2`],
    ...['--plan', join(folder, 'plan.json'), '--yes'],
    // the move steps back at each injected 429: a part of this is enough to keep up
    ...['--share-from', '500000', '--share-to', '500000'],
    ...['--before', before, '--after', after, '--canceled', `rm -f ${frozen}`],
    ...(isShared ? leases : [])
  ]
}

async function createContainers(
  { endpoint, key }: EmulatorProcess,
  feed: 'none' | 'versions' | 'images'
): Promise<void> {
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
  const images = { previousImageRetentionPolicy: { supportedFeatures: { allVersionsAndDeletes: { mode: 3 } } } }
  const policy = {
    defaultTtl: -1,
    ...(feed === 'none' ? {} : { changeFeedPolicy: { retentionDuration: 60 } }),
    ...(feed === 'images' ? images : {})
  }
  const { database } = await client.databases.createIfNotExists({ id: 'fleet' })
  for (const [id, path, settings] of [
    ['drives', '/deviceId', policy],
    ['drives-2', '/partitionKey', policy],
    ['leases', '/id', {}]
  ] as const)
    await database.containers.create(
      {
        id,
        partitionKey: { paths: [path], version: PartitionKeyDefinitionVersion.V2, kind: PartitionKeyKind.Hash },
        ...settings
      },
      { offerThroughput: 20_000 }
    )
  client.dispose()
}

function differences(name: string, expected: readonly object[], found: readonly object[]): readonly string[] {
  const [wanted, had] = [expected, found].map((documents) => documents.map((document) => textOf(document)))
  return [
    ...had.filter((text, index) => had.indexOf(text) !== index).map((text) => `${name}: twice ${text}`),
    ...wanted.filter((text) => !had.includes(text)).map((text) => `${name}: lacks ${text}`),
    ...had.filter((text) => !wanted.includes(text)).map((text) => `${name}: has ${text}`)
  ]
}

function textOf(document: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(document).toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
