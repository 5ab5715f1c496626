import { randomBytes } from 'node:crypto'
import { access, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, type StopSignal, systemCode, waitFor } from '@keystamp/core/internal'
import {
  type ControlResult,
  idsIn,
  parseObject,
  parseRequest,
  parseResult,
  POLL_MS,
  requestName,
  resultName
} from './control-request.ts'
import { replaceDurably } from './durable-files.ts'
import { lockHolder } from './folder-lock.ts'
import { invalidJournal, unreadable, unwritable } from './journal-error.ts'

export interface SendOptions {
  readonly clock: Clock
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** An abort takes the request back if the running process has not answered it. */
  readonly signal?: StopSignal
  /**
   * Called at each poll without an answer, with the number of the running process. Undefined: no process runs the move,
   * and the request waits for one.
   */
  readonly onWait?: (pid: string | undefined) => void
}

/** Sends a request to the process that runs the move, and waits for its answer. */
export async function sendRequest(
  folder: string,
  request: { readonly command: string; readonly options?: Readonly<Record<string, unknown>> },
  { clock, nowMs, signal, onWait }: SendOptions
): Promise<ControlResult> {
  await checkFolder(folder)
  const id = (await waitingId(folder, request)) ?? (await writeRequest(folder, request, nowMs))
  try {
    for (;;) {
      const isWaiting = (await readIfThere(join(folder, requestName(id)))) !== undefined
      const result = await takeResult(folder, id)
      if (result !== undefined) return result
      if (!isWaiting) return TAKEN
      const holder = await lockHolder(folder)
      // a process that ends answers before
      const last = holder === undefined ? await takeResult(folder, id) : undefined
      if (last !== undefined) return last
      onWait?.(holder)
      await waitFor(POLL_MS, clock, signal)
    }
  } catch (error) {
    await rm(join(folder, requestName(id)), { force: true })
    throw error
  }
}

const TAKEN: ControlResult = {
  isDone: false,
  message: 'Another command took the same request back, or got its answer. See `keystamp rekey status`.'
}

/** The last status that a process wrote, and the number of the process that runs the move now, if there is one. */
export async function readStatus(
  folder: string
): Promise<{ readonly status: Record<string, unknown> | undefined; readonly pid: string | undefined }> {
  await checkFolder(folder)
  const text = await readIfThere(join(folder, 'status.json'))
  return { status: text === undefined ? undefined : parseObject(text), pid: await lockHolder(folder) }
}

async function checkFolder(folder: string): Promise<void> {
  try {
    await access(join(folder, 'journal.jsonl'))
  } catch {
    throw invalidJournal(
      `${folder} has no journal of a move. Name the folder with which the move began with \`--journal\`.`
    )
  }
}

/** Id of an equal request that waits: a command that is repeated after Ctrl-C means the same request. */
async function waitingId(
  folder: string,
  { command, options = {} }: { readonly command: string; readonly options?: Readonly<Record<string, unknown>> }
): Promise<string | undefined> {
  for (const id of idsIn(await readdir(folder), 'request')) {
    const waiting = parseRequest(id, (await readIfThere(join(folder, requestName(id)))) ?? '')
    if (waiting?.command === command && JSON.stringify(waiting.options) === JSON.stringify(options)) return id
  }
  return undefined
}

async function writeRequest(folder: string, request: object, nowMs: number): Promise<string> {
  const id = `${String(nowMs).padStart(13, '0')}-${randomBytes(4).toString('hex')}`
  const path = join(folder, requestName(id))
  try {
    await replaceDurably(path, `${JSON.stringify(request)}\n`)
  } catch (cause) {
    throw unwritable(path, cause)
  }
  return id
}

async function takeResult(folder: string, id: string): Promise<ControlResult | undefined> {
  const path = join(folder, resultName(id))
  const text = await readIfThere(path)
  if (text === undefined) return undefined
  await rm(path, { force: true })
  return parseResult(text)
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return undefined
    throw unreadable(path, cause)
  }
}
