import { createHash, randomBytes } from 'node:crypto'
import { closeSync, openSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DataError } from './data-error.ts'
import { reasonOf } from './folder-files.ts'

/**
 * Locks a folder for this process, and returns the function that frees it. The lock is a socket in the folder on which
 * the process listens, so the operating system frees it when the process ends, even by SIGKILL.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  if (process.platform === 'win32') return lockPipe(folder)
  const name = `${PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`
  const untilMs = Date.now() + MAX_WAIT_MS
  let lock: Lock | undefined = undefined
  for (;;) {
    const others = await ask(folder, name)
    const holder = others.find(({ state }) => state === 'held')
    if (holder !== undefined || Date.now() > untilMs) {
      lock?.close()
      throw inUse(folder, holder?.pid ?? '')
    }
    // others that want the lock as well see this process as soon as it listens, so it asks them again after that
    if (lock !== undefined && others.length === 0) {
      lock.isHeld = true
      return lock.close
    }
    // of several processes that wait, the one with the lowest name stays
    if (others.some((other) => other.name < name)) {
      lock?.close()
      lock = undefined
    } else lock ??= await openLock(folder, name)
    if (others.length > 0) await delay(PAUSE_MS)
  }
}

const PREFIX = 'lock-'
const NAME = /^lock-\d+-[0-9a-f]{8}$/
/** How long a process waits for the answers of others. One that reads its data does not answer for seconds. */
const MAX_WAIT_MS = 8000
const PAUSE_MS = 20
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
    socket.end(`${lock.isHeld ? 'held' : 'waiting'} ${process.pid}`)
  })
  try {
    await inFolder(folder, (base) => listen(server, join(base, name)))
  } catch (error) {
    throw new DataError(
      `The data folder ${folder} cannot be locked: ${reasonOf(error)}. Name a folder of a local file system.`
    )
  }
  server.unref()
  return lock
}

interface Other {
  readonly name: string
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
    else others.push({ name, state: answer.split(' ')[0], pid: answer.split(' ')[1] ?? '' })
  }
  return others
}

/** Names of the sockets of locks. Files of the user may have similar names. */
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
    await listen(server, `\\\\.\\pipe\\keystamp-${hash.slice(0, 32)}`)
  } catch {
    throw inUse(folder, '')
  }
  server.unref()
  return () => server.close()
}

function inUse(folder: string, pid: string): DataError {
  const by = pid === '' ? 'another process' : `the process ${pid}`
  return new DataError(`The data folder ${folder} is in use by ${by}. Stop that emulator, or name another folder.`)
}
