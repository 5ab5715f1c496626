import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../../files/test/inputs/lines-of.ts'
import { useTargets } from '../../load/start-target.ts'
import { type Ran, runCommand } from '../../run-command.ts'
import { useTemporaryFolder } from '../../temporary-folder.ts'

describe('`keystamp load` with unreadable inputs or an unwritable checkpoint', () => {
  const start = useTargets()
  const path = useTemporaryFolder()

  it.each([
    ['a folder', 'folder', 'cannot be read: it is a folder.'],
    ['a missing file', 'none.ndjson', 'cannot be read: there is no such file or folder.'],
    ['a file below a file', 'text.gz/none.ndjson', 'cannot be read: a part of its path is not a folder.'],
    ['a file that is not gzip', 'text.gz', 'cannot be decompressed: it is damaged, or not compressed at all.'],
    ['a truncated gzip file', 'cut.gz', 'cannot be decompressed: it ends before it is complete.']
  ])('reports %s in a sentence, and leaves no files', async (_, name, why) => {
    mkdirSync(path('folder'))
    writeFileSync(path('text.gz'), linesOf(3))
    writeFileSync(path('cut.gz'), gzipSync(linesOf(3)).subarray(0, 20))
    const before = readdirSync(dirname(path('.x')))

    const { code, stderr } = await load(path(name))

    expect(code).toBe(1)
    expect(lastLine(stderr)).toBe(`keystamp: ${path(name)} ${why}`)
    expect(readdirSync(dirname(path('.x')))).toEqual(before)
  })

  it('keeps its checkpoint if the input is found to be truncated', async () => {
    writeFileSync(path('cut.gz'), gzipSync(linesOf(40_000)).subarray(0, -200))

    const { code, stderr } = await load(path('cut.gz'))

    expect(code).toBe(1)
    expect(stderr).toContain('resumes from there')
    expect(lastLine(stderr)).toContain('cut.gz cannot be decompressed: it ends before it is complete.')
    expect(existsSync(path('cut.gz.checkpoint'))).toBe(true)
  })

  it('reports that the checkpoint cannot be written, with a remedy, before it writes any record', async () => {
    const { to, documents } = await start()
    writeFileSync(path('in.ndjson'), linesOf(3))
    const checkpoint = path('none/c')

    const { code, stderr } = await runCommand([
      'load',
      '--from',
      'deviceId',
      '--to',
      to,
      '--checkpoint',
      checkpoint,
      path('in.ndjson')
    ])

    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        `keystamp: The checkpoint ${checkpoint} cannot be written: there is no such file or folder. ` +
        'Name another path for it with --checkpoint, or say --no-checkpoint.\n'
    })
    expect(await documents()).toEqual([])
  })

  async function load(input: string): Promise<Ran> {
    const { to } = await start()
    return runCommand(['load', '--from', 'deviceId', '--to', to, input])
  }
})

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? ''
}
