import { type Emulator, startEmulator } from '@keystamp/emulator'
import { VirtualClock } from '@keystamp/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWriter, type Writer, type WriterOptions } from '../../src/index.ts'
import { createContainerGuard } from '../../src/client/container-guard.ts'

describe('a writer whose container was deleted and created again', () => {
  let emulator: Emulator
  let writer: Writer

  beforeEach(async () => {
    emulator = await startEmulator({ auth: 'off', ranges: 2 })
    await ask('POST', 'dbs', { id: 'db' })
    await create()
  })

  afterEach(async () => {
    await writer.close(0)
    await emulator.stop()
  })

  // checks L1
  it('fails the first write to the new container, and sends nothing more to it', async () => {
    await open()
    expect(await writer.write(record('before'))).toMatchObject({ kind: 'written' })
    await recreate()

    const meets = writer.write(record('meets'))
    await expect(meets).rejects.toMatchObject({
      code: 'CONTAINER_RECREATED',
      message: expect.stringMatching(
        /^The container "db\/c" was deleted and created again \(its resource id was \S+, now it is \S+\)\./
      )
    })
    await expect(writer.write(record('after'))).rejects.toMatchObject({
      code: 'WRITER_CLOSED',
      cause: expect.objectContaining({ code: 'CONTAINER_RECREATED' })
    })

    expect(emulator.operations().map(({ id }) => id)).not.toContain('after')
  })

  it('stops at its next periodic check even if it has nothing to write', async () => {
    await open({ followOfferMs: 50 })
    const stopped = new Promise<Error>((resolve) => writer.events.once('stopped', resolve))
    await recreate()

    expect(await stopped).toMatchObject({ code: 'CONTAINER_RECREATED' })
  })

  it('stops if the new container has another key', async () => {
    await open()
    await recreate('/other')

    await expect(writer.write(record('a'))).rejects.toMatchObject({ code: 'CONTAINER_RECREATED' })
  })

  it('continues if the service only reports that its cache of names is stale', async () => {
    await open()
    emulator.faults.inject({ on: 'bulk', count: 1, action: { kind: 'status', status: 410, subStatus: 1000 } })

    expect(await writer.write(record('a'))).toMatchObject({ kind: 'written' })
  })

  async function open(options: Partial<WriterOptions> = {}): Promise<void> {
    writer = await createWriter({
      endpoint: emulator.endpoint,
      key: emulator.key,
      database: 'db',
      container: 'c',
      ...options
    })
  }

  async function recreate(path?: string): Promise<void> {
    await ask('DELETE', 'dbs/db/colls/c')
    await create(path)
  }

  async function create(path: string = '/pk'): Promise<void> {
    await ask('POST', 'dbs/db/colls', { id: 'c', partitionKey: { paths: [path], kind: 'Hash', version: 2 } })
  }

  async function ask(method: string, path: string, body?: object): Promise<void> {
    const answer = await fetch(emulator.endpoint + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    expect(answer.ok).toBe(true)
  }
})

describe('the guard of a container', () => {
  it('accepts a response with another spelling of the resource id after it has read the container once', async () => {
    const { guard, world, stoppedBy } = begin()
    expect(guard.confirm('rid-1')).toBe(true)

    expect(await guard.confirm('RID-1')).toBe(true)
    expect(guard.confirm('RID-1')).toBe(true)
    expect(world.reads).toBe(1)
    expect(stoppedBy).toEqual([])
  })

  it('neither accepts a response nor stops the writer if it cannot read the container', async () => {
    const { guard, world, stoppedBy } = begin()
    world.failure = new Error('No answer.')

    expect(await guard.confirm('rid-2')).toBe(false)
    expect(stoppedBy).toEqual([])
  })

  it('stops the writer at a response of another container', async () => {
    const { guard, world, stoppedBy } = begin()
    world.rid = 'rid-2'

    expect(await guard.confirm('rid-2')).toBe(false)
    expect(stoppedBy).toMatchObject([{ code: 'CONTAINER_RECREATED' }])
  })
})

function begin() {
  const world: { rid: string; reads: number; failure: Error | undefined } = {
    rid: 'rid-1',
    reads: 0,
    failure: undefined
  }
  const stoppedBy: Error[] = []
  const definition = {
    rid: 'rid-1',
    partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 },
    defaultTtl: undefined,
    uniqueKeys: []
  } as const
  const guard = createContainerGuard({
    account: {
      database: 'db',
      container: 'c',
      refresh: () => {
        world.reads++
        return world.failure === undefined
          ? Promise.resolve({ ...definition, rid: world.rid })
          : Promise.reject(world.failure)
      }
    },
    definition,
    everyMs: 60_000,
    clock: new VirtualClock(),
    onStop: (error) => stoppedBy.push(error)
  })
  return { guard, world, stoppedBy }
}

function record(id: string) {
  return { kind: 'upsert', record: { id, pk: 'p', other: 'p' } } as const
}
