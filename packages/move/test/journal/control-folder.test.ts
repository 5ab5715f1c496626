import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '@keystamp/core/internal'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readStatus, sendRequest } from '../../src/journal/control-client.ts'
import { type ControlFolder, openControlFolder } from '../../src/journal/control-folder.ts'
import type { ControlRequest } from '../../src/journal/control-request.ts'
import { openFileJournal } from '../../src/journal/file-journal.ts'
import type { Journal } from '../../src/journal/journal.ts'

// a hundred times as fast as the real one
const clock: Clock = {
  now: () => performance.now() * 100,
  schedule: (ms, run) => {
    const timer = setTimeout(run, ms / 100)
    return () => clearTimeout(timer)
  }
}

let folder = ''
let journal: Journal
let control: ControlFolder | undefined
let requests: ControlRequest[] = []
let errors: unknown[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-control-'))
  journal = await openFileJournal(folder)
})

afterEach(async () => {
  await control?.close()
  control = undefined
  await journal.close()
  await rm(folder, { recursive: true })
})

async function open(): Promise<ControlFolder> {
  await control?.close()
  requests = []
  errors = []
  control = await openControlFolder(folder, {
    clock,
    onRequest: (request) => requests.push(request),
    onError: (error) => errors.push(error)
  })
  return control
}

function send(command: string, options = {}, signal?: AbortSignal): Promise<unknown> {
  return sendRequest(folder, { command, options }, { clock, nowMs: 5, ...(signal === undefined ? {} : { signal }) })
}

async function named(prefix: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith(prefix))
}

describe('a request', () => {
  test('reaches the running process once, and its answer the command', async () => {
    const { answer } = await open()
    const answered = send('switch', { yes: true })
    await expect.poll(() => requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ command: 'switch', options: { yes: true } })
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(requests).toHaveLength(1)
    await answer(requests[0].id, { isDone: true, message: 'Switched.' })
    expect(await answered).toEqual({ isDone: true, message: 'Switched.' })
    expect(await named('re')).toEqual([])
  })

  test('gets its answer after a time in which the answer could not be written', async () => {
    const { answer } = await open()
    const answered = send('switch')
    await expect.poll(() => requests).toHaveLength(1)
    const path = join(folder, `result-${requests[0].id}.json`)
    await mkdir(`${path}.new`)
    const writing = answer(requests[0].id, { isDone: true, message: 'Switched.' })
    await expect.poll(() => errors).toMatchObject([{ message: `${path} cannot be written: it is a folder.` }])
    await rm(`${path}.new`, { recursive: true })
    await writing
    expect(await answered).toEqual({ isDone: true, message: 'Switched.' })
    expect(errors).toHaveLength(1)
  })

  test('that has no answer is passed to the next process', async () => {
    await open()
    const answered = send('finish')
    await expect.poll(() => requests).toHaveLength(1)
    const { answer } = await open()
    expect(requests).toMatchObject([{ command: 'finish' }])
    await answer(requests[0].id, { isDone: false, message: 'Not yet.' })
    expect(await answered).toMatchObject({ message: 'Not yet.' })
  })

  test('that has an answer is not passed to the next process, even if the first was killed before it removed it', async () => {
    await writeFile(join(folder, 'request-0000000000005-0000000a.json'), '{"command":"abort"}')
    await writeFile(join(folder, 'result-0000000000005-0000000a.json'), '{"isDone":true,"message":"Aborted."}')
    await open()
    expect(requests).toEqual([])
    expect(await named('request')).toEqual([])
  })

  test('that is repeated while the first one waits is the same request', async () => {
    const stopped = send('switch', { a: 1 })
    await expect.poll(() => named('request')).toHaveLength(1)
    const repeated = send('switch', { a: 1 })
    const other = send('switch', { a: 2 })
    await expect.poll(() => named('request')).toHaveLength(2)
    const { answer } = await open()
    expect(requests).toHaveLength(2)
    for (const { id, options } of requests) await answer(id, { isDone: true, message: String(options['a']) })
    const messages = (await Promise.all([stopped, repeated])).map((result) => (result as { message: string }).message)
    expect(messages).toContain('1')
    expect(await other).toEqual({ isDone: true, message: '2' })
  })

  test('is taken back when its command is stopped before a process saw it', async () => {
    const abort = new AbortController()
    const stopped = send('switch', {}, abort.signal)
    await expect.poll(() => named('request')).toHaveLength(1)
    abort.abort(new Error('stopped'))
    await expect(stopped).rejects.toThrow('stopped')
    expect(await named('request')).toEqual([])
  })

  test('that another command took back ends with a sentence', async () => {
    const answered = send('switch')
    await expect.poll(() => named('request')).toHaveLength(1)
    for (const name of await named('request')) await rm(join(folder, name))
    expect(await answered).toMatchObject({ isDone: false })
  })

  test('comes in the order of the times of all requests', async () => {
    for (const at of ['9', '1', '5'])
      await writeFile(join(folder, `request-000000000000${at}-0000000a.json`), `{"command":"${at}"}`)
    await open()
    expect(requests.map(({ command }) => command)).toEqual(['1', '5', '9'])
  })

  test('that is no JSON is an error of its file', async () => {
    await writeFile(join(folder, 'request-0000000000001-0000000a.json'), '{"comm')
    await open()
    expect(requests).toEqual([])
    expect(errors).toMatchObject([{ code: 'INPUT_UNREADABLE' }])
  })

  test('waits visibly for a process that runs the move', async () => {
    const waits: (string | undefined)[] = []
    const answered = sendRequest(folder, { command: 'back' }, { clock, nowMs: 5, onWait: (pid) => waits.push(pid) })
    await expect.poll(() => waits).toContain(String(process.pid))
    await journal.close()
    await expect.poll(() => waits.at(-1)).toBeUndefined()
    journal = await openFileJournal(folder)
    const { answer } = await open()
    await answer(requests[0].id, { isDone: true, message: 'Back.' })
    expect(await answered).toMatchObject({ isDone: true })
  })
})

test('a folder without a journal is refused', async () => {
  const other = join(folder, 'other')
  const message = `${other} has no journal of a move. Name the folder with which the move began with \`--journal\`.`
  await expect(sendRequest(other, { command: 'switch' }, { clock, nowMs: 5 })).rejects.toThrow(message)
  await expect(readStatus(other)).rejects.toThrow(message)
})

describe('a flag file', () => {
  test('that is there at the beginning is seen before the process goes on', async () => {
    await writeFile(join(folder, 'postpone'), '')
    const { isSet } = await open()
    expect(isSet('postpone')).toBe(true)
    expect(isSet('pause')).toBe(false)
  })

  test('makes waiters wait until it is removed', async () => {
    const { isSet, waitWhile } = await open()
    await waitWhile('pause')
    await writeFile(join(folder, 'pause'), '')
    await expect.poll(() => isSet('pause')).toBe(true)
    let isOver = false
    const over = waitWhile('pause').then(() => (isOver = true))
    const abort = new AbortController()
    const aborted = waitWhile('pause', abort.signal)
    abort.abort(new Error('stopped'))
    await expect(aborted).rejects.toThrow('stopped')
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(isOver).toBe(false)
    await rm(join(folder, 'pause'))
    await over
  })
})

describe('the status', () => {
  test('is written at once, then the last one of each second, and at the end', async () => {
    const calls: { readonly ms: number; readonly run: () => void }[] = []
    const manual: Clock = {
      now: () => 0,
      schedule: (ms, run) => {
        calls.push({ ms, run })
        return () => undefined
      }
    }
    const { setStatus, close } = await openControlFolder(folder, { clock: manual, onRequest: () => undefined })
    const path = join(folder, 'status.json')
    setStatus({ copied: 1 })
    await expect.poll(() => readFile(path, 'utf8')).toBe('{"copied":1}\n')
    setStatus({ copied: 2 })
    setStatus({ copied: 3 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await readStatus(folder)).status).toEqual({ copied: 1 })
    calls.find(({ ms }) => ms === 1000)!.run()
    await expect.poll(async () => (await readStatus(folder)).status).toEqual({ copied: 3 })
    setStatus({ copied: 4 })
    await close()
    expect(await readStatus(folder)).toEqual({ status: { copied: 4 }, pid: String(process.pid) })
    await journal.close()
    expect(await readStatus(folder)).toEqual({ status: { copied: 4 }, pid: undefined })
  })
})

test('a status that cannot be written is said once, and again after a success', async () => {
  const { setStatus } = await open()
  const path = join(folder, 'status.json')
  for (let count = 1; count <= 2; count++) {
    await mkdir(`${path}.new`)
    setStatus({ at: 0 })
    await expect.poll(() => errors).toHaveLength(count)
    for (let at = 1; at < 5; at++) {
      setStatus({ at })
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
    expect(errors).toHaveLength(count)
    expect(errors[0]).toMatchObject({ message: `${path} cannot be written: it is a folder.` })
    await rm(`${path}.new`, { recursive: true })
    setStatus({ at: 5 })
    await expect.poll(() => readFile(path, 'utf8')).toBe('{"at":5}\n')
    await rm(path)
  }
})
