import { access, rm, writeFile } from 'node:fs/promises'
import type { Random } from '@keystamp/testkit'
import type { ApplicationFiles } from './moving-application.ts'
import type { DriveWriter, Drive } from './drive-writer.ts'

/** Documents of each writer: few, so that each changes often. */
const IDS = 40
/** Seconds after which documents with a short time to live expire. */
const SHORT_TTL = 3
const LONG_TTL = 100_000

/**
 * Several writers that change drives in all ways: create, upsert, replace, patch, delete, expiry, and changes of each
 * part of the keys, also there and back. Each document has one writer, so the log of a writer tells what is stored.
 */
export class RestlessApplication {
  /** Documents as Cosmos DB has acknowledged them, by id. */
  readonly log: Map<string, Drive> = new Map()
  /** Number of writes of each kind. */
  readonly counts: Record<string, number> = {}
  readonly #random: Random
  readonly #files: Required<ApplicationFiles>
  readonly #writer: DriveWriter
  readonly #pauseMs: number
  #isRunning = true
  #isOpen = false
  #isMoved = false
  #writing = 0
  #version = 0
  #running: Promise<unknown> = Promise.resolve()

  constructor(random: Random, writer: DriveWriter, files: Required<ApplicationFiles>, pauseMs: number) {
    this.#random = random
    this.#writer = writer
    this.#files = files
    this.#pauseMs = pauseMs
  }

  /** Writes some documents before the move. */
  async fill(count: number): Promise<void> {
    for (let each = 0; each < count; each++) await this.#write(each % 3)
  }

  /** Writes until `stop`. */
  start(): void {
    this.#running = Promise.all([this.#watchFiles(), ...[0, 1, 2].map((writer) => this.#run(writer))])
  }

  /** Ends the writes, and waits until all documents with a short time to live have expired. */
  async stop(): Promise<void> {
    if (!this.#isRunning) return
    this.#isRunning = false
    await this.#running
    await pause((SHORT_TTL + 1) * 1000)
    for (const [id, { ttl }] of this.log) if (ttl === SHORT_TTL) this.log.delete(id)
  }

  async #run(writer: number): Promise<void> {
    while (this.#isRunning) {
      if (this.#isOpen) {
        this.#writing++
        await this.#write(writer)
        this.#writing--
      }
      await pause(this.#isOpen ? this.#pauseMs : 10)
    }
  }

  /** Does what the hooks of the move ask for. */
  async #watchFiles(): Promise<void> {
    const { frozen, moved, stopped } = this.#files
    while (this.#isRunning) {
      if (await exists(frozen)) {
        this.#isOpen = false
        if (this.#writing === 0) await writeFile(stopped, '')
      } else if (!this.#isOpen) {
        await rm(stopped, { force: true })
        this.#isMoved = await exists(moved)
        // a hook that has found an older file has created this one before
        this.#isOpen = !(await exists(frozen))
      }
      await pause(10)
    }
  }

  async #write(writer: number): Promise<void> {
    const random = this.#random
    const id = `drive-${writer}-${random.below(IDS)}`
    const before = this.log.get(id)
    if (before === undefined) return this.#store(random.pick(['create', 'upsert'] as const), undefined, this.#drive(id))
    const choice = random.next()
    if (choice < 0.2) return this.#delete(before)
    if (choice < 0.3) return this.#store('upsert', before, { ...this.#drive(id, before), ttl: SHORT_TTL })
    // it may have expired
    if (before.ttl === SHORT_TTL) return this.#store('upsert', before, this.#drive(id, before))
    if (choice < 0.5) return this.#store('upsert', before, this.#drive(id))
    if (choice < 0.6) return this.#store('replace', before, this.#drive(id, before))
    if (choice < 0.75) return this.#patch(before)
    // there and back
    const other = this.#drive(id)
    await this.#store('upsert', before, other)
    return this.#store('upsert', other, this.#drive(id, before))
  }

  /** A new version, with the key of an earlier one or with any key. */
  #drive(id: string, { deviceId, date } = this.#anyKey(id)): Drive {
    const random = this.#random
    const version = ++this.#version
    const more = random.chance(0.3) ? { ttl: LONG_TTL } : random.chance(0.2) ? { ttl: -1 } : {}
    return { id, deviceId, date, km: version, stops: [{ at: random.text(3, 'äb"\\'), version }], ...more }
  }

  #anyKey(id: string): Pick<Drive, 'deviceId' | 'date'> {
    const random = this.#random
    // "7" and 7 would get the same new key
    const device = `${id.length}${random.below(3)}`
    return { deviceId: random.chance(0.3) ? Number(device) : `device-${device}`, date: `2018-08-1${random.below(4)}` }
  }

  async #store(kind: 'create' | 'upsert' | 'replace', before: Drive | undefined, drive: Drive): Promise<void> {
    this.#count(kind)
    const deletesFirst = this.#random.chance(0.5)
    const isElsewhere = before !== undefined && !this.#writer.isSamePlace(before, drive, this.#isMoved)
    if (isElsewhere && deletesFirst) await this.#writer.delete(before, this.#isMoved)
    await this.#writer.store(isElsewhere ? 'upsert' : kind, drive, this.#isMoved)
    if (isElsewhere && !deletesFirst) await this.#writer.delete(before, this.#isMoved)
    this.log.set(drive.id, drive)
  }

  async #patch(before: Drive): Promise<void> {
    this.#count('patch')
    const km = ++this.#version
    // the date is a part of some new keys
    const date = this.#isMoved || this.#random.chance(0.5) ? before.date : this.#anyKey(before.id).date
    await this.#writer.patch(before, { km, date }, this.#isMoved)
    this.log.set(before.id, { ...before, km, date })
  }

  async #delete(before: Drive): Promise<void> {
    this.#count('delete')
    await this.#writer.delete(before, this.#isMoved)
    this.log.delete(before.id)
  }

  #count(kind: string): void {
    this.counts[kind] = (this.counts[kind] ?? 0) + 1
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false
  )
}
