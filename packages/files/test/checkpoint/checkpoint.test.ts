import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CheckpointInputs, createCheckpointFile, type LoadIdentity } from '../../src/checkpoint/checkpoint.ts'
import type { InputPosition } from '../../src/inputs/read-lines.ts'

const load: LoadIdentity = { target: 'http://127.0.0.1/db/c', plan: 'a', ids: null, strategy: 'upsert' }
const inputs: CheckpointInputs = { inputs: [], isWhole: () => false }
const position: InputPosition = { input: -1, line: 0, from: { line: 0, byte: 0 } }

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-checkpoint-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a checkpoint', () => {
  it('does not exist before the first run', async () => {
    expect(await createCheckpointFile(join(folder, 'c'), load, inputs).read()).toBeUndefined()
  })

  it.each([
    ['another plan', { ...load, plan: 'b' }],
    ['another target', { ...load, target: 'http://127.0.0.1/db/other' }]
  ])('of %s is refused with CHECKPOINT_INVALID', async (_what, other) => {
    const path = join(folder, 'c')
    await createCheckpointFile(path, other, inputs).write(position)

    await expect(createCheckpointFile(path, load, inputs).read()).rejects.toMatchObject({ code: 'CHECKPOINT_INVALID' })
  })

  it.each(['not JSON', 'id,name\n1,x\n', '{"id":"1"}\n', '{"version":1,"id":"1"}\n'])(
    'is refused if the file contains something else: %j',
    async (text) => {
      const path = join(folder, 'c')
      await writeFile(path, text)

      const error = await createCheckpointFile(path, load, inputs)
        .read()
        .catch((reason: unknown) => reason)

      expect(error).toMatchObject({
        code: 'CHECKPOINT_INVALID',
        message: expect.stringMatching(`${path} is not a checkpoint file`)
      })
      expect((error as Error).message).not.toContain('remove')
    }
  )

  it('that is incomplete is reported as damaged', async () => {
    const path = join(folder, 'c')
    await writeFile(path, '{"version":1,')

    await expect(createCheckpointFile(path, load, inputs).read()).rejects.toMatchObject({
      code: 'CHECKPOINT_INVALID',
      message: `The checkpoint ${path} is damaged. Name another one with \`checkpoint\`, or remove it to start from the beginning.`
    })
  })

  it('is refused if one of its bytes was changed', async () => {
    const path = join(folder, 'c')
    await createCheckpointFile(path, load, inputs).write({ ...position, line: 12_345 })
    const whole = await readFile(path)

    const accepted: string[] = []
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole)
      damaged[at] ^= 1
      await writeFile(path, damaged)
      const code = await createCheckpointFile(path, load, inputs)
        .read()
        .catch((error: unknown) => (error as { code: string }).code)
      if (code !== 'CHECKPOINT_INVALID') accepted.push(damaged.toString())
    }

    expect(accepted).toEqual([])
    await writeFile(path, whole)
    expect(await createCheckpointFile(path, load, inputs).read()).toMatchObject({ position: { line: 12_345 } })
  })

  it('of an older version, which has no checksum, is accepted', async () => {
    const path = join(folder, 'c')
    await writeFile(path, `${JSON.stringify({ version: 1, load, inputs: [], place: position })}\n`)

    expect(await createCheckpointFile(path, load, inputs).read()).toMatchObject({ position })
  })

  it('can be read only by its owner', async () => {
    const path = join(folder, 'c')
    await createCheckpointFile(path, load, inputs).write(position)

    expect((await stat(path)).mode & 0o077).toBe(0)
  })
})
