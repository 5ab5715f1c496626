import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openFileTargetIndex } from '@keystamp/move'

/** Index of target keys by source identity, with one entry for each document. */
interface Index {
  readonly find: (number: number) => unknown
  readonly add: (number: number) => Promise<unknown>
  readonly close: () => Promise<unknown>
}

/** Result of a process, which prints it as JSON. */
export interface IndexCosts {
  readonly addMicros: number
  readonly findMicros: number
  readonly seconds: number
  readonly anonymousMb: number
  readonly mappedMb: number
}

const CONCURRENT = 64
const FINDS = 200_000

const [way, folder, entries] = process.argv.slice(2)
if (way === 'open') await open(folder)
else await fill(way === 'lmdb' ? await openLmdb(folder) : openOurs(folder), Number(entries))

async function open(path: string): Promise<void> {
  const before = process.cpuUsage()
  const begun = performance.now()
  const index = openFileTargetIndex(path)
  const seconds = (performance.now() - begun) / 1000
  const cpuSeconds = microsSince(before) / 1e6
  console.log(JSON.stringify({ seconds, cpuSeconds, anonymousMb: memoryMb('RssAnon') }))
  await index.close()
}

/** Adds entries as a copy does: first looks for the document, then adds its target. */
async function fill(index: Index, count: number): Promise<void> {
  let next = 0
  let anonymousMb = 0
  const work = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) {
      await index.find(number)
      await index.add(number)
      if (number % 50_000 === 0) anonymousMb = Math.max(anonymousMb, memoryMb('RssAnon'))
    }
  }
  const begun = performance.now()
  const atFirst = process.cpuUsage()
  await Promise.all(Array.from({ length: CONCURRENT }, work))
  const addMicros = microsSince(atFirst) / count
  const seconds = (performance.now() - begun) / 1000
  const afterwards = process.cpuUsage()
  for (let find = 0; find < FINDS; find++) await index.find((find * 7919) % count)
  const findMicros = microsSince(afterwards) / FINDS
  const costs: IndexCosts = { addMicros, findMicros, seconds, anonymousMb, mappedMb: memoryMb('RssFile') }
  console.log(JSON.stringify(costs))
  await index.close()
}

function openOurs(path: string): Index {
  const index = openFileTargetIndex(path)
  return {
    find: (number) => index.find({ id: idOf(number), key: [tenantOf(number)] }),
    add: (number) =>
      index.add(
        { id: idOf(number), key: [tenantOf(number)] },
        { id: idOf(number), key: [tenantOf(number), dayOf(number)] }
      ),
    close: () => index.close()
  }
}

/** The part of lmdb that is measured. */
interface Lmdb {
  readonly open: (options: object) => {
    readonly getBinary: (key: Buffer) => Buffer | undefined
    readonly put: (key: Buffer, value: Buffer) => Promise<unknown>
    readonly close: () => Promise<void>
  }
}

async function openLmdb(path: string): Promise<Index> {
  const name = 'lmdb'
  const { open: openDatabase } = (await import(name)) as Lmdb
  const database = openDatabase({ path, keyEncoding: 'binary', encoding: 'binary' })
  return {
    find: (number) => database.getBinary(keyOf(number)),
    add: (number) => database.put(keyOf(number), Buffer.from(JSON.stringify(['', tenantOf(number), dayOf(number)]))),
    close: () => database.close()
  }
}

function keyOf(number: number): Buffer {
  return hash('sha256', JSON.stringify([idOf(number), tenantOf(number)]), 'buffer').subarray(0, 16)
}

function idOf(number: number): string {
  return `order-${number}-abcdefgh`
}

function tenantOf(number: number): string {
  return `tenant-${number % 1000}`
}

function dayOf(number: number): string {
  return `2026-01-${(number % 28) + 1}`
}

function microsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function memoryMb(name: string): number {
  const text = readFileSync('/proc/self/status', 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? 0) / 1024
}
