import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CosmosClient, PartitionKeyDefinitionVersion, PartitionKeyKind } from '@azure/cosmos'
import type { PlanDefinition } from '@keystamp/core'
import { type EmulatorProcess, type EmulatorReport, type FaultRule, startEmulatorProcess } from '@keystamp/emulator'
import { createRandom, type Random } from '@keystamp/testkit'
import { runCommand } from '../run-command.ts'
import { DriveWriter, type Drive } from './drive-writer.ts'
import { RekeyProcess, statusOf } from './rekey-process.ts'
import { RestlessApplication } from './restless-application.ts'

/** Result of a move with real processes. */
export interface KilledMove {
  /** Differences between the containers and the log of the application. */
  readonly wrong: readonly string[]
  readonly kills: number
  readonly splits: number
  /** Steps that were done, in order. */
  readonly steps: readonly string[]
  /** Writes of each kind that Cosmos DB has acknowledged. */
  readonly writes: Readonly<Record<string, number>>
  /** How deletes and former places are found. */
  readonly finding: string
}

const IDENTITY: PlanDefinition = { into: '/partitionKey', from: [{ field: '/deviceId' }, { id: true }] }
const FIELDS: PlanDefinition = { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/date' }] }

/** Faults of both containers, for the application as well. */
const FAULTS: readonly FaultRule[] = [
  {
    on: 'bulkOperation',
    probability: 0.03,
    action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 20 }
  },
  { on: ['write', 'read', 'changeFeed'], probability: 0.02, action: { kind: 'status', status: 429, retryAfterMs: 20 } },
  { on: ['write', 'read', 'changeFeed'], probability: 0.01, action: { kind: 'reset' } },
  {
    on: ['write', 'read', 'changeFeed'],
    probability: 0.005,
    action: { kind: 'status', status: 410, subStatus: 1002 }
  },
  { on: 'write', probability: 0.02, action: { kind: 'applyThenDrop' } }
]

const MAX_RANGES = 8

/**
 * Moves a container while writers change it in all ways and the process of the move is killed again and again: one to
 * three switches there and back, then the end. Compares both containers with the log of the writers.
 */
export async function runKilledMove(seed: number): Promise<KilledMove> {
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
  const world: World = { random, emulator, journal: join(folder, 'journal'), splits: 0, steps: [], isOver: false }
  let move: RekeyProcess | undefined
  let disturbing: Promise<void> | undefined
  try {
    await application.fill(150)
    for (const fault of FAULTS) await control(emulator, 'faults', fault)
    application.start()
    move = new RekeyProcess(argumentsOf(emulator, folder, files))
    disturbing = split(world)
    await takeTurns(world, move, application, feed !== 'none')
    world.isOver = true
    await disturbing
    await fetch(new URL('_control/faults', emulator.endpoint), { method: 'DELETE' })
    const { steps, splits } = world
    const { kills } = move
    const finding = `${plan === IDENTITY ? 'identity' : 'fields'}, ${feed}`
    return { wrong: await wrongIn(writer, application), kills, splits, steps, writes: application.counts, finding }
  } finally {
    world.isOver = true
    await disturbing
    await move?.stop()
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
  readonly emulator: EmulatorProcess
  readonly journal: string
  splits: number
  readonly steps: string[]
  isOver: boolean
}

async function takeTurns(
  world: World,
  move: RekeyProcess,
  application: RestlessApplication,
  seesDeletes: boolean
): Promise<void> {
  const { random, journal } = world
  await killUntil(world, move, () => statusOf(journal)?.phase === 'follow', 1 + random.below(2))
  let isMoved = false
  for (let count = 1 + random.below(3); count > 0; count--) {
    const phase = isMoved ? 'follow' : 'reverse'
    const step = isMoved ? 'back' : 'switch'
    let isDone = false
    const asked = askUntil(world, move, step, phase).finally(() => {
      isDone = true
    })
    await Promise.all([asked, killUntil(world, move, () => isDone, random.below(3))])
    world.steps.push(step)
    isMoved = !isMoved
    await sleep(500 + random.below(2500))
  }
  const isKilled = random.chance(0.3)
  if (isKilled) move.kill()
  await application.stop()
  // deletes that no feed shows, and late requests of the killed process, are found by a comparison
  if (!seesDeletes || isKilled) await askUntil(world, move, 'compare')
  else if (!isMoved) await caughtUp(world, move, Date.now())
  const end = isMoved ? 'finish' : 'abort'
  await askUntil(world, move, end)
  world.steps.push(end)
  const { code, output } = await move.ended()
  if (code !== 0) throw new Error(`The process ended with ${code}: ${output}`)
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

/** Kills the process some times, at random, while something is not done. */
async function killUntil(world: World, move: RekeyProcess, isDone: () => boolean, times: number): Promise<void> {
  const { random } = world
  for (let kill = 0; kill < times && !isDone() && move.end === undefined; kill++) {
    await sleep(300 + random.below(3500))
    if (!isDone()) move.kill()
  }
  while (!isDone()) {
    if (move.end !== undefined) throw new Error(`The process ended with ${move.end.code}: ${move.end.output}`)
    await sleep(50)
  }
}

/** Asks for a step until it is done: a killed process may have done it without an answer. */
async function askUntil(world: World, move: RekeyProcess, step: string, phase?: string): Promise<void> {
  for (;;) {
    const { code, stdout, stderr } = await ask(step, world.journal)
    if (code === 0) return
    if (code !== 4) throw new Error(`${step}: ${code}: ${stdout}${stderr}`)
    await sleep(500)
    if (phase !== undefined && statusOf(world.journal)?.phase === phase) return
    if (move.end !== undefined) throw new Error(`The process ended with ${move.end.code}: ${move.end.output}`)
  }
}

/** Waits until all changes before a time are copied. */
async function caughtUp({ journal }: World, move: RekeyProcess, ms: number): Promise<void> {
  for (;;) {
    const { at = '', lagSeconds = Number.POSITIVE_INFINITY } = statusOf(journal) ?? {}
    if (Date.parse(at) - lagSeconds * 1000 >= ms) return
    if (move.end !== undefined) throw new Error(`The process ended with ${move.end.code}: ${move.end.output}`)
    await sleep(50)
  }
}

function ask(step: string, journal: string): ReturnType<typeof runCommand> {
  return runCommand(['rekey', step, '--journal', journal])
}

/** Splits physical partitions of both containers at random moments. */
async function split(world: World): Promise<void> {
  const { random, emulator } = world
  while (!world.isOver) {
    await sleep(500 + random.below(4000))
    const report = (await (await fetch(new URL('_control/report', emulator.endpoint))).json()) as EmulatorReport
    const { database, container, ranges } = random.pick(report.containers)
    if (world.isOver || ranges.length >= MAX_RANGES) continue
    const path = `databases/${database}/containers/${container}/ranges/${random.pick(ranges).id}/split`
    await control(emulator, path, { lockMs: random.below(500) })
    world.splits++
  }
}

function argumentsOf(
  { endpoint }: EmulatorProcess,
  folder: string,
  { frozen, moved, stopped }: { readonly frozen: string; readonly moved: string; readonly stopped: string }
): readonly string[] {
  const before = `touch ${frozen}; n=0; until [ -e ${stopped} ] || [ $((n=n+1)) -gt 400 ]; do sleep 0.05; done; [ -e ${stopped} ]`
  const after = `if [ "$KEYSTAMP_DIRECTION" = forward ]; then touch ${moved}; else rm -f ${moved}; fi; rm -f ${frozen}`
  return [
    ...['--from', `${endpoint}fleet/drives`, '--to', `${endpoint}fleet/drives-2`],
    ...['--plan', join(folder, 'plan.json'), '--journal', join(folder, 'journal')],
    // the move steps back at each injected 429: a part of this is enough to keep up
    ...['--share-from', '500000', '--share-to', '500000', '--yes'],
    ...['--before', before, '--after', after, '--canceled', `rm -f ${frozen}`]
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
  for (const [id, path] of [
    ['drives', '/deviceId'],
    ['drives-2', '/partitionKey']
  ])
    await database.containers.create(
      {
        id,
        partitionKey: { paths: [path], version: PartitionKeyDefinitionVersion.V2, kind: PartitionKeyKind.Hash },
        ...policy
      },
      { offerThroughput: 20_000 }
    )
  client.dispose()
}

async function control({ endpoint }: EmulatorProcess, path: string, body: object): Promise<void> {
  const answer = await fetch(new URL(`_control/${path}`, endpoint), { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${answer.status} to ${path}: ${await answer.text()}`)
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
