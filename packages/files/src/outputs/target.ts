import { KeystampError } from '@keystamp/core'
import { randomBytes } from 'node:crypto'
import { chmod, type FileHandle, open, readlink, realpath, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { codecOf } from '../inputs/codec.ts'

/** A file that has a temporary name until it is complete, so that no incomplete file exists under the final name. */
export interface Target {
  /** Path under the temporary name; for a pipe or a device, its own path. */
  readonly path: string
  readonly file: FileHandle
  readonly finish: () => Promise<void>
  readonly abandon: () => Promise<void>
}

/** Opens a target. A pipe or a device such as `/dev/null` is written directly. */
async function openTarget(path: string): Promise<Target> {
  const present = await stat(path).catch(ignoreMissing)
  if (present !== undefined && !present.isFile()) {
    const file = await open(path, 'w')
    return { path, file, finish: () => file.close(), abandon: () => file.close() }
  }
  // keeps a symbolic link, and replaces the file that the link points to
  const finalPath = present === undefined ? await endOfLinks(path) : await realpath(path)
  const partial = join(dirname(finalPath), `.${basename(finalPath)}.${randomBytes(4).toString('hex')}.partial`)
  const file = await open(partial, 'wx')
  return {
    path: partial,
    file,
    finish: async () => {
      await file.close()
      if (present !== undefined) await chmod(partial, present.mode)
      await rename(partial, finalPath)
    },
    abandon: async () => {
      await file.close()
      await rm(partial, { force: true })
    }
  }
}

/** Follows symbolic links to the name of a file that does not exist yet. */
async function endOfLinks(path: string): Promise<string> {
  const target = await readlink(path).catch(ignoreNoLink)
  return target === undefined ? path : endOfLinks(resolve(dirname(path), target))
}

function ignoreNoLink(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'EINVAL') throw error
}

/** Returns undefined for a missing file; throws other errors. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/**
 * Opens a target. Throws if its disk has less room than `minBytes`, except for a compressed file, whose size is not
 * known beforehand.
 */
export async function openWithRoom(path: string, minBytes: number): Promise<Target> {
  const target = await openTarget(path)
  if (minBytes === 0 || codecOf(path) !== undefined || !(await target.file.stat()).isFile()) return target
  const { bavail, bsize } = await statfs(dirname(target.path))
  const room = bavail * bsize
  if (room >= minBytes) return target
  await target.abandon()
  throw new KeystampError(
    'OUTPUT_UNWRITABLE',
    `${path} cannot be written: the input has ${minBytes} bytes, and the disk has room for ${room}.`
  )
}
