import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { countedAsLate, type LateReport, namedAsLate, NOTHING_LATE } from './late-requests.ts'

/** A sink in a process of its own, as it is run in production. */
export interface SinkProcess {
  readonly name: string
  readonly signal: (signal: NodeJS.Signals) => void
  /** Lets it drain; resolves when it has ended. */
  readonly stop: () => Promise<void>
  /** Its exit code; undefined while it runs, and null where a signal ended it. */
  readonly code: () => number | null | undefined
  /** Whether `signal` has killed it. */
  readonly wasKilled: () => boolean
  /** All that it said, on both outputs. */
  readonly said: () => string
  /** How often it was told its partitions. */
  readonly assignments: () => number
  /** Its notes about its requests and itself. */
  readonly notes: () => Promise<SinkNotes>
  /** Arms a point of `stop-points.mjs`; resolves when the process has heard of it. */
  readonly arm: (point: StopPoint) => Promise<void>
  /** The armed points that have stopped it. */
  readonly stops: () => Promise<readonly StopPoint[]>
  /** Resolves when it has its first partitions, or has ended. */
  readonly ready: Promise<void>
  /** The late requests that it has named and counted, as of its last moments. */
  readonly late: () => LateReport
}

/** One operation on its way: the document, and the mark of the record; null where it has no body. */
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
  /** The id under which it commits; undefined where it never did. */
  readonly identity: string | undefined
  /** How an armed point first stopped it. */
  readonly stop: SinkStop | undefined
}

/** A stop at an armed point. */
export interface SinkStop {
  /** Activity id of the request, member id or generation: what the point was about. */
  readonly about: string | number | undefined
  /** In milliseconds since 1970. */
  readonly atMs: number
}

/** Where a process can be made to stop itself. */
export type StopPoint = 'end' | 'join' | 'sync' | 'joinAnswer'

export interface SinkProcessOptions {
  readonly name: string
  /** The configuration as YAML. */
  readonly config: string
  /** Where its files are. */
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
}

const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))

/** Starts it. */
export async function startSinkProcess({ name, config, folder, env }: SinkProcessOptions): Promise<SinkProcess> {
  const [configFile, sentFile] = [`${folder}/${name}.yaml`, `${folder}/${name}.ndjson`]
  await Promise.all([writeFile(configFile, config), writeFile(sentFile, '')])
  const told = new URL(`tell-what-is-sent.mjs?${new URLSearchParams({ file: sentFile }).toString()}`, import.meta.url)
  const child = spawn(process.execPath, ['--import', told.href, COMMAND, 'sink', '--config', configFile], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env }
  })
  // a process that was killed reads nothing more
  child.stdin.on('error', () => {})
  let text = ''
  let code: number | null | undefined
  let late = NOTHING_LATE
  let wasKilled = false
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
    signal: (signal) => {
      if (signal === 'SIGKILL') wasKilled = true
      child.kill(signal)
    },
    wasKilled: () => wasKilled,
    stop: async () => {
      if (code !== undefined) return
      child.kill('SIGCONT')
      // named before counted: what is counted later is no contradiction
      const named = namedAsLate(text)
      const counted = await readLateCount(METRICS.exec(text)?.[0])
      late = { named, counted }
      const isStuck = await stop(child, ended)
      // its last lines name more requests; nothing answers any more how many it counted until then
      const namedAtLast = namedAsLate(text)
      late = { named: namedAtLast, counted: counted + namedAtLast.size - named.size }
      if (isStuck) code = STUCK
    },
    code: () => code,
    said: () => text,
    assignments: () => text.split('"partitions assigned"').length - 1,
    notes: async () => toNotes(await readLines(sentFile)),
    arm: async (point) => {
      child.stdin.write(`${point}\n`)
      while (!(await readLines(sentFile)).some(({ armed }) => armed === point)) await wait(LOOK_AGAIN_MS)
    },
    stops: async () => (await readLines(sentFile)).flatMap(({ stoppedAt }) => stoppedAt ?? []),
    ready: new Promise((resolve) => {
      heard.add(() => {
        if (!text.includes('"partitions assigned"')) return
        heard.clear()
        resolve()
      })
      void ended.then(resolve)
    }),
    late: () => late
  }
  return sink
}

/** Answers whether it had to be killed. */
async function stop(child: ChildProcess, ended: Promise<void>): Promise<boolean> {
  let isStuck = false
  if (child.exitCode !== null || child.signalCode !== null) return isStuck
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
  // the last line of a process that was killed may be cut off
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
    // it has ended, or is stuck: what it named is not counted, and the judge says so
    return 0
  }
}

const METRICS_MS = 5000
const LOOK_AGAIN_MS = 20

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
