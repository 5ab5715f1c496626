import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkPaths } from '../src/load.ts'
import { useTemporaryFolder } from './temporary-folder.ts'

describe('the files of a load', () => {
  const path = useTemporaryFolder()

  beforeEach(() => {
    mkdirSync(path('deep'))
    writeFileSync(path('in.ndjson'), '{}\n')
    writeFileSync(path('plan.json'), '{}\n')
    symlinkSync(path('in.ndjson'), path('link'))
    symlinkSync(path('new.cp'), path('dangling'))
    symlinkSync(path('deep'), path('folder-link'))
    linkSync(path('in.ndjson'), path('hard'))
  })

  it.each([
    ['in.ndjson', undefined, 'is also an input'],
    ['deep/../in.ndjson', undefined, 'is also an input'],
    ['link', undefined, 'is also an input'],
    ['hard', undefined, 'is also an input'],
    ['plan.json', undefined, 'is also the key plan'],
    [undefined, 'in.ndjson', 'is also an input'],
    [undefined, 'link', 'is also an input'],
    [undefined, 'plan.json', 'is also the key plan'],
    ['new.cp', 'new.cp', 'is also the checkpoint'],
    ['new.cp', 'new.cp.new', 'is also the temporary name of the checkpoint'],
    ['new.cp', 'dangling', 'is also the checkpoint'],
    ['deep/new.cp', 'folder-link/new.cp', 'is also the checkpoint']
  ])(
    'cannot be one file for two purposes: checkpoint %s and rejected records %s',
    async (checkpoint, collect, sentence) => {
      const named = (name: string | undefined): string | undefined =>
        name === undefined ? undefined : `${path('.')}/${name}`

      await expect(
        checkPaths({
          inputs: ['-', path('in.ndjson')],
          plan: path('plan.json'),
          checkpoint: named(checkpoint),
          collect: named(collect)
        })
      ).rejects.toThrow(sentence)
    }
  )

  it('are recognized as the same file if only one of their paths is relative', async () => {
    const collect = relative(process.cwd(), path('new.cp'))

    await expect(checkPaths({ inputs: [], plan: undefined, checkpoint: path('new.cp'), collect })).rejects.toThrow(
      'is also the checkpoint'
    )
  })

  it('are accepted if all are different', async () => {
    const files = {
      inputs: [path('in.ndjson')],
      plan: path('plan.json'),
      checkpoint: path('in.ndjson.checkpoint'),
      collect: path('bad')
    }

    await expect(checkPaths(files)).resolves.toBeUndefined()
  })
})
