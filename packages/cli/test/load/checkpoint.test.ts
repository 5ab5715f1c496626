import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCheckpointFile, type LoadIdentity } from '../../src/load/checkpoint.ts'

const load: LoadIdentity = { target: 'http://127.0.0.1/db/c', plan: 'a', ids: null, strategy: 'upsert', inputs: [] }

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-checkpoint-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a checkpoint', () => {
  it('is not there before the first run', async () => {
    expect(await createCheckpointFile(join(folder, 'c'), load).read()).toBeUndefined()
  })

  it.each([
    ['another plan', { ...load, plan: 'b' }],
    ['another target', { ...load, target: 'http://127.0.0.1/db/other' }],
    ['other inputs', { ...load, inputs: [{ name: 'in', bytes: 1, changedMs: 1 }] }]
  ])('of %s is refused with CHECKPOINT_INVALID', async (_what, other) => {
    const path = join(folder, 'c')
    await createCheckpointFile(path, other).write({} as never)

    await expect(createCheckpointFile(path, load).read()).rejects.toMatchObject({ code: 'CHECKPOINT_INVALID' })
  })

  it('that is no checkpoint is refused, and named', async () => {
    const path = join(folder, 'c')
    await writeFile(path, 'not JSON')

    await expect(createCheckpointFile(path, load).read()).rejects.toMatchObject({
      code: 'CHECKPOINT_INVALID',
      message: `The checkpoint ${path} is damaged. Name another one with --checkpoint, or remove it to start from the beginning.`
    })
  })

  it('can be read by its owner only', async () => {
    const path = join(folder, 'c')
    await createCheckpointFile(path, load).write({} as never)

    expect((await stat(path)).mode & 0o077).toBe(0)
  })
})
