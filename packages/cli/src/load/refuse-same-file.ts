import { readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '../usage-error.ts'

/** The files of a load, by what they are for. */
export interface LoadFiles {
  readonly inputs: readonly string[]
  readonly plan: string | undefined
  readonly checkpoint: string | undefined
  readonly collect: string | undefined
}

/** Refuses a checkpoint or a file of rejected records that is also another file of the load, however the two names are spelled. */
export async function refuseSameFile({ inputs, plan, checkpoint, collect }: LoadFiles): Promise<void> {
  const taken = new Map<string, string>()
  for (const input of inputs) if (input !== '-') await take(input, 'an input')
  if (plan !== undefined) await take(plan, 'the key plan')
  if (checkpoint !== undefined) {
    await refuse(checkpoint, `The checkpoint ${checkpoint}`, '--checkpoint')
    await refuse(`${checkpoint}.new`, `${checkpoint}.new, in which the next checkpoint is written,`, '--checkpoint')
    await take(checkpoint, 'the checkpoint')
    await take(`${checkpoint}.new`, 'where the next checkpoint is written')
  }
  if (collect !== undefined) await refuse(collect, `The file of rejected records ${collect}`, '--on-error collect:<file>')

  async function take(path: string, what: string): Promise<void> {
    for (const identity of await identitiesOf(path)) taken.set(identity, what)
  }

  async function refuse(path: string, subject: string, option: string): Promise<void> {
    for (const identity of await identitiesOf(path)) {
      const what = taken.get(identity)
      if (what !== undefined) throw new UsageError(`${subject} is also ${what}. Name another file with ${option}.`)
    }
  }
}

/** The path after all links; and the file itself, which can have several hard links. */
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
  // a file that is not there has no identity but its path
}
