import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { countedAsLate, type LateReport, namedAsLate, NOTHING_LATE } from './late-requests.ts'

/** A sink in a process of its own, as in production. */
export interface SinkProcess {
  readonly name: string
  readonly signal: (signal: NodeJS.Signals) => void
  /** Drains the sink; resolves when the process has ended. */
  readonly stop: () => Promise<void>
  /** Exit code; undefined while the process runs, and null if a signal ended it. */
  readonly code: () => number | null | undefined
  /** Whether `signal` has killed the process. */
  readonly wasKilled: () => boolean
  /** Standard output and standard error. */
  readonly output: () => string
  /** Number of assignments in the log. */
  readonly assignments: () => number
  /** Notes of the preloaded module about the requests and the identity of the sink. */
  readonly notes: () => Promise<SinkNotes>
  /** Arms a point of `stop-points.mjs`; resolves when the process has armed the point. */
  readonly arm: (point: StopPoint) => Promise<void>
  /** The armed points that have stopped the process. */
  readonly stops: () => Promise<readonly StopPoint[]>
  /** Resolves when the sink has its first partitions, or has ended. */
  readonly ready: Promise<void>
  /** Late requests that the sink has logged and counted, up to its end. */
  readonly late: () => LateReport
}

/** One operation of a request: the document, and the mark of the record; null for an operation without a body. */
export type SentWrite = readonly [id: string, mark: number | null]

/** One request to Cosmos DB, as the sink sent it. */
export interface SentRequest {
  /** When `end()` was called, in milliseconds since 1970. */
  readonly endMs: number
  readonly writes: readonly SentWrite[]
}

export interface SinkNotes {
  /** By activity id. */
  readonly requests: ReadonlyMap<string, SentRequest>
  /** Id in the metadata of the sink's commits; undefined if it never committed. */
  readonly identity: string | undefined
  /** First stop at an armed point. */
  readonly stop: SinkStop | undefined
}

/** A stop at an armed point. */
export interface SinkStop {
  /** Activity id of the request, member id or generation, depending on the point. */
  readonly about: string | number | undefined
  /** In milliseconds since 1970. */
  readonly atMs: number
}

/** Point in the code of a sink at which its process can suspend itself. */
export type StopPoint = 'end' | 'join' | 'sync' | 'joinAnswer'

export interface SinkProcessOptions {
  readonly name: string
  /** The configuration as YAML. */
  readonly config: string
  /** Folder for the files of the process. */
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
}

const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))

/** Starts the process. */
export async function startSinkProcess({ name, config, folder, env }: SinkProcessOptions): Promise<SinkProcess> {
  const [configFile, sentFile] = [`${folder}/${name}.yaml`, `${folder}/${name}.ndjson`]
  await Promise.all([writeFile(configFile, config), writeFile(sentFile, '')])
  const preloaded = new URL(`note-requests.mjs?${new URLSearchParams({ file: sentFile }).toString()}`, import.meta.url)
  const child = spawn(process.execPath, ['--import', preloaded.href, COMMAND, 'sink', '--config', configFile], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env }
  })
  // writing to a killed process fails
  child.stdin.on('error', () => {})
  let text = ''
  let code: number | null | undefined
  let late = NOTHING_LATE
  let wasKilled = false
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      for (const listen of listeners) listen()
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
    signal: (signal) => {
      if (signal === 'SIGKILL') wasKilled = true
      child.kill(signal)
    },
    wasKilled: () => wasKilled,
    stop: async () => {
      if (code !== undefined) return
      child.kill('SIGCONT')
      // reads the log before the counter: a request that is only counted in between is no violation
      const named = namedAsLate(text)
      const counted = await readLateCount(METRICS.exec(text)?.[0])
      late = { named, counted }
      const isStuck = await stop(child, ended)
      // the last lines of the log may contain more requests, but the counter cannot be read any more
      const namedAtLast = namedAsLate(text)
      late = { named: namedAtLast, counted: counted + namedAtLast.size - named.size }
      if (isStuck) code = STUCK
    },
    code: () => code,
    output: () => text,
    assignments: () => text.split('"partitions assigned"').length - 1,
    notes: async () => toNotes(await readLines(sentFile)),
    arm: async (point) => {
      child.stdin.write(`${point}\n`)
      while (!(await readLines(sentFile)).some(({ armed }) => armed === point)) await wait(POLL_MS)
    },
    stops: async () => (await readLines(sentFile)).flatMap(({ stoppedAt }) => stoppedAt ?? []),
    ready: new Promise((resolve) => {
      listeners.add(() => {
        if (!text.includes('"partitions assigned"')) return
        listeners.clear()
        resolve()
      })
      void ended.then(resolve)
    }),
    late: () => late
  }
  return sink
}

/** Returns whether the process had to be killed. */
async function stop(child: ChildProcess, ended: Promise<void>): Promise<boolean> {
  let isStuck = false
  if (child.exitCode !== null || child.signalCode !== null) return isStuck
  child.kill('SIGTERM')
  const timeout = setTimeout(() => {
    isStuck = true
    child.kill('SIGKILL')
  }, MAX_STOP_MS)
  await ended
  clearTimeout(timeout)
  return isStuck
}

const MAX_STOP_MS = 40_000
// exit code that no sink uses
const STUCK = 99

/** One line that the preloaded module wrote. */
interface NotedLine extends Partial<SentRequest> {
  readonly activity?: string
  readonly identity?: string
  readonly armed?: StopPoint
  readonly stoppedAt?: StopPoint
  readonly about?: string | number
  readonly atMs?: number
}

async function readLines(file: string): Promise<readonly NotedLine[]> {
  const text = await readFile(file, 'utf8')
  // the last line of a killed process may be incomplete
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as NotedLine)
}

function toNotes(lines: readonly NotedLine[]): SinkNotes {
  const requests = new Map<string, SentRequest>()
  for (const { activity, endMs, writes } of lines)
    if (activity !== undefined && endMs !== undefined && writes !== undefined) requests.set(activity, { endMs, writes })
  const stopped = lines.find(({ stoppedAt }) => stoppedAt !== undefined)
  return {
    requests,
    identity: lines.find(({ identity }) => identity !== undefined)?.identity,
    stop: stopped?.atMs === undefined ? undefined : { about: stopped.about, atMs: stopped.atMs }
  }
}

/** Address of the metrics in the first line that a sink writes. */
const METRICS = /http:\S+\/metrics\b/

async function readLateCount(url: string | undefined): Promise<number> {
  if (url === undefined) return 0
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(METRICS_MS) })
    return countedAsLate(await answer.text())
  } catch {
    // the process has ended or is stuck: its late requests are not counted, which the judge reports
    return 0
  }
}

const METRICS_MS = 5000
const POLL_MS = 20

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
