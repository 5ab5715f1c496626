import { readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { KeystampError } from '@keystamp/core'

/** Paths of the files that a load uses. */
export interface LoadPaths {
  readonly inputs: readonly string[]
  readonly plan: string | undefined
  readonly checkpoint: string | undefined
  readonly collect: string | undefined
}

/** Throws OPTION_INVALID where the checkpoint or the file of rejected records is also another file of the load, however the two paths are spelled. */
export async function checkPaths({ inputs, plan, checkpoint, collect }: LoadPaths): Promise<void> {
  const taken = new Map<string, string>()
  for (const input of inputs) if (input !== '-') await take(input, 'an input')
  if (plan !== undefined) await take(plan, 'the key plan')
  if (checkpoint !== undefined) {
    await refuse(checkpoint, `The checkpoint ${checkpoint}`, '`checkpoint`')
    await refuse(`${checkpoint}.new`, `${checkpoint}.new, in which the next checkpoint is written,`, '`checkpoint`')
    await take(checkpoint, 'the checkpoint')
    await take(`${checkpoint}.new`, 'where the next checkpoint is written')
  }
  if (collect !== undefined) await refuse(collect, `The file of rejected records ${collect}`, '`onError`')

  async function take(path: string, what: string): Promise<void> {
    for (const identity of await identitiesOf(path)) taken.set(identity, what)
  }

  async function refuse(path: string, subject: string, option: string): Promise<void> {
    for (const identity of await identitiesOf(path)) {
      const what = taken.get(identity)
      if (what !== undefined) throw new KeystampError('OPTION_INVALID', `${subject} is also ${what}. Name another file with ${option}.`)
    }
  }
}

/** The path after resolving links, and the identity of the file, which can have several hard links. */
async function identitiesOf(path: string): Promise<readonly string[]> {
  const end = await endOfLinks(resolve(path))
  const found = await stat(end, { bigint: true }).catch(nothing)
  return found === undefined || !found.isFile() ? [end] : [end, `${found.dev}:${found.ino}`]
}

async function endOfLinks(path: string, linksLeft = 40): Promise<string> {
  const real = await realpath(path).catch(nothing)
  if (real !== undefined) return real
  const folder = dirname(path)
  const target = await readlink(path).catch(nothing)
  if (target !== undefined && linksLeft > 0) return endOfLinks(resolve(folder, target), linksLeft - 1)
  return folder === path ? path : join(await endOfLinks(folder, linksLeft), basename(path))
}

function nothing(): undefined {
  // a missing file is compared by its path only
}
