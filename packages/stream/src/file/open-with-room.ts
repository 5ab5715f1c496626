import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { KeystampError } from '@keystamp/core'
import { codecOf } from './codec.ts'
import { openTarget, type Target } from './target.ts'

/** Opens a target on whose disk that much has to find room; how much that is where it is compressed, nobody knows before. */
export async function openWithRoom(path: string, leastBytes: number): Promise<Target> {
  const target = await openTarget(path)
  if (leastBytes === 0 || codecOf(path) !== undefined || !(await target.file.stat()).isFile()) return target
  const { bavail, bsize } = await statfs(dirname(target.path))
  const room = bavail * bsize
  if (room >= leastBytes) return target
  await target.abandon()
  throw new KeystampError(
    'OUTPUT_UNWRITABLE',
    `${path} cannot be written: the input has ${leastBytes} bytes, and the disk has room for ${room}.`
  )
}
