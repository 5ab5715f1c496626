import { createHash, randomBytes } from 'node:crypto'
import { closeSync, openSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { KeystampError } from '@keystamp/core'
import { systemReason } from '@keystamp/core/internal'
import { invalidJournal } from './journal-error.ts'

/**
 * Locks a folder for this process, and returns the function that frees it. The lock is a socket in the folder on which
 * the process listens: the operating system closes it when the process ends, even by SIGKILL, and the number of a
 * process that was given to another one means nothing.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  if (process.platform === 'win32') return lockPipe(folder)
  const name = `${PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`
  const lock = await openLock(folder, name)
  try {
    // Of several processes that begin at once, each listens before it asks. So each sees all earlier ones, and at most
    // the one with the lowest name does not step back.
    for (let left = MAX_TURNS; ; left--) {
      const others = await ask(folder, name)
      if (others.length === 0) break
      const holder = others.find(({ state }) => state === 'held') ?? others[0]
      if (holder.state === 'held' || holder.name < name || left === 0) throw inUse(folder, holder.pid)
      await delay(PAUSE_MS)
    }
    lock.isHeld = true
    return lock.close
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Number of the process that has the folder locked; undefined if there is none. */
export async function lockHolder(folder: string): Promise<string | undefined> {
  if (process.platform === 'win32') return (await isPipeFree(folder)) ? undefined : 'of another program'
  const others = await ask(folder, '')
  return others.find(({ state }) => state !== 'waiting')?.pid
}

const PREFIX = 'lock-'
const NAME = /^lock-(\d+)-[0-9a-f]{8}$/
const PAUSE_MS = 50
const MAX_TURNS = 20
const ANSWER_MS = 300

interface Lock {
  isHeld: boolean
  readonly close: () => void
}

async function openLock(folder: string, name: string): Promise<Lock> {
  const close = (): void => {
    rmSync(join(folder, name), { force: true })
    server.close()
  }
  const lock = { isHeld: false, close }
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.end(lock.isHeld ? 'held' : 'waiting')
  })
  try {
    await inFolder(folder, (base) => listen(server, join(base, name)))
  } catch (error) {
    throw invalidJournal(
      `The folder ${folder} of the journal cannot be locked: ${systemReason(error)}. Name a folder of a local file system.`
    )
  }
  server.unref()
  return lock
}

interface Other {
  readonly name: string
  /** `held`, `waiting`, or empty if the process does not answer in time, because it is busy or stopped. */
  readonly state: string
  readonly pid: string
}

/** The other processes that have or want the lock. Removes the sockets of processes that have ended. */
async function ask(folder: string, own: string): Promise<Other[]> {
  const others: Other[] = []
  for (const name of socketsIn(folder).filter((each) => each !== own)) {
    let answer = await inFolder(folder, (base) => answerOf(join(base, name)))
    if (answer === undefined) {
      // a process refuses connections for a moment before it listens
      await delay(PAUSE_MS)
      answer = await inFolder(folder, (base) => answerOf(join(base, name)))
    }
    if (answer === undefined) rmSync(join(folder, name), { force: true })
    else others.push({ name, state: answer, pid: NAME.exec(name)?.[1] ?? '' })
  }
  return others
}

/** Names of the sockets of locks. */
function socketsIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isSocket() && NAME.test(entry.name))
    .map(({ name }) => name)
}

/** The answer of the process at a socket; undefined if there is none. */
function answerOf(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(path)
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('close', () => resolve(text))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const isGone = error.code === 'ECONNREFUSED' || error.code === 'ENOENT'
      resolve(isGone ? undefined : '')
    })
  })
}

// the address of a socket has at most about 100 characters, which the path of a folder can exceed
async function inFolder<Result>(folder: string, run: (base: string) => Promise<Result>): Promise<Result> {
  if (process.platform !== 'linux' || folder.length < 60) return run(folder)
  const fd = openSync(folder, 'r')
  try {
    return await run(`/proc/self/fd/${fd}`)
  } finally {
    closeSync(fd)
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
}

// a named pipe ends with its process, and only one process can create it
async function lockPipe(folder: string): Promise<() => void> {
  const server = createServer((socket) => socket.end())
  const hash = createHash('sha256').update(realpathSync(folder).toLowerCase()).digest('hex')
  try {
    await listen(server, `\\\\.\\pipe\\keystamp-move-${hash.slice(0, 32)}`)
  } catch {
    throw inUse(folder, '')
  }
  server.unref()
  return () => server.close()
}

async function isPipeFree(folder: string): Promise<boolean> {
  try {
    const unlock = await lockPipe(folder)
    unlock()
    return true
  } catch {
    return false
  }
}

function inUse(folder: string, pid: string): KeystampError {
  const by = pid === '' ? 'another process' : `the process ${pid}`
  return new KeystampError(
    'JOURNAL_IN_USE',
    `The journal ${folder} is in use by ${by}, which runs this move. See \`keystamp rekey status --journal ${folder}\`, or stop that process first.`
  )
}
