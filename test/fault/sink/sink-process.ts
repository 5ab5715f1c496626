import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** A sink in a process of its own, as it is run in production. */
export interface SinkProcess {
  readonly name: string
  readonly signal: (signal: NodeJS.Signals) => void
  /** Lets it drain; resolves when it has ended. */
  readonly stop: () => Promise<void>
  /** Its exit code; undefined while it runs, and null where a signal ended it. */
  readonly code: () => number | null | undefined
  /** All that it said, on both outputs. */
  readonly said: () => string
  /** How often it was told its partitions. */
  readonly assignments: () => number
  /** What it sent, by the activity id of the request. */
  readonly sent: () => Promise<ReadonlyMap<string, readonly SentWrite[]>>
}

/** One operation on its way: the document, and the mark of the record; null where it has no body. */
export type SentWrite = readonly [id: string, mark: number | null]

const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))

/** Starts it; resolves when it has its first partitions, or has ended. */
export async function startSinkProcess(name: string, config: string, folder: string): Promise<SinkProcess> {
  const [configFile, sentFile] = [`${folder}/${name}.yaml`, `${folder}/${name}.ndjson`]
  await Promise.all([writeFile(configFile, config), writeFile(sentFile, '')])
  const told = new URL(`tell-what-is-sent.mjs?${new URLSearchParams({ name, file: sentFile }).toString()}`, import.meta.url)
  const child = spawn(process.execPath, ['--import', told.href, COMMAND, 'sink', '--config', configFile], {
    stdio: ['pipe', 'pipe', 'pipe']
  })
  let text = ''
  let code: number | null | undefined
  const heard = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      for (const hear of heard) hear()
    })
  }
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (exit) => {
      code = exit
      resolve()
    })
  })
  const sink: SinkProcess = {
    name,
    signal: (signal) => void child.kill(signal),
    stop: async () => {
      const isStuck = await stop(child, ended)
      if (isStuck) code = STUCK
    },
    code: () => code,
    said: () => text,
    assignments: () => text.split('"partitions assigned"').length - 1,
    sent: async () => parseSent(await readFile(sentFile, 'utf8'))
  }
  const assigned = new Promise<void>((resolve) => {
    heard.add(() => {
      if (sink.assignments() > 0) resolve()
    })
  })
  await Promise.race([assigned, ended])
  heard.clear()
  return sink
}

/** Answers whether it had to be killed. */
async function stop(child: ChildProcess, ended: Promise<void>): Promise<boolean> {
  let isStuck = false
  if (child.exitCode !== null || child.signalCode !== null) return isStuck
  child.kill('SIGCONT')
  child.kill('SIGTERM')
  const impatient = setTimeout(() => {
    isStuck = true
    child.kill('SIGKILL')
  }, LONGEST_MS)
  await ended
  clearTimeout(impatient)
  return isStuck
}

const LONGEST_MS = 40_000
// no process ends with it by itself
const STUCK = 99

function parseSent(text: string): ReadonlyMap<string, readonly SentWrite[]> {
  // the last line of a process that was killed may be cut off
  const lines = text.split('\n').slice(0, -1)
  return new Map(
    lines.map((line) => {
      const { activity, writes } = JSON.parse(line) as { readonly activity: string; readonly writes: readonly SentWrite[] }
      return [activity, writes]
    })
  )
}
