import { readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { KeystampError } from '@keystamp/core'
import { createWriter, type Writer } from '@keystamp/cosmos'
import {
  BEGINNING,
  type CheckpointFile,
  createCheckpointFile,
  formOf,
  type InputPosition,
  isReadFromBeginning,
  type LoadIdentity,
  readInput,
  type RejectedLine
} from '@keystamp/files/internal'
import { accountOptionsOf, type LoadOptions, type LoadSummary, type PreparedLoad, prepareLoad } from './load-options.ts'
import { createProgressMeter } from './progress-meter.ts'
import { openRejectedRecords, type RejectedRecords } from './rejected-records.ts'
import { saveProgress } from './save-progress.ts'
import { createShape, createToOperation } from './shape-record.ts'
import { readAhead, writeRecords } from './write-records.ts'

/**
 * Writes the records of files into a container. Stays within the RU budget, keeps the order of the writes of each
 * document, and resumes an interrupted load if it is called again with the same options. Throws the error that stops
 * the load: a `KeystampError` such as OPTION_INVALID, CHECKPOINT_INVALID, RECORD_REJECTED or REJECTED_TOO_MANY, or one
 * for a failure of a file or of Cosmos DB.
 */
export async function load(options: LoadOptions): Promise<LoadSummary> {
  const prepared = await prepareLoad(options)
  const { onError } = prepared.rejects
  const checkpoint = openCheckpoint(options, prepared)
  await checkPaths({
    inputs: options.inputs,
    plan: options.planPath,
    checkpoint: checkpoint?.path,
    collect: typeof onError === 'object' ? onError.collect : undefined
  })
  const resumption = await checkpoint?.file.read()
  await checkpoint?.file.tryOut()
  const rejects = await openRejectedRecords(prepared.rejects, resumption !== undefined)
  try {
    if (resumption !== undefined) options.onResumed?.(resumption)
    return await loadInto(options, { prepared, checkpoint, begin: resumption?.position ?? BEGINNING, rejects })
  } finally {
    await rejects.close()
  }
}

interface LoadParts {
  readonly prepared: PreparedLoad
  readonly checkpoint: { readonly path: string; readonly file: CheckpointFile } | undefined
  readonly begin: InputPosition
  readonly rejects: RejectedRecords
}

// room for some thousands of records: more takes memory and is not faster
const WRITER_BYTES = 8 * 1024 * 1024

const CLOSE_MS = 30_000
const ABORTED_CLOSE_MS = 10_000

async function loadInto(
  options: LoadOptions,
  { prepared, checkpoint, begin, rejects }: LoadParts
): Promise<LoadSummary> {
  const { inputs, format, ids, plan, signal, stdin, now } = prepared
  const reading = readAhead(
    (name, from) => readInput(name, format, { from, stdin, signal }),
    inputs[begin.input]?.name,
    begin.from
  )
  const writer = await openWriter(options, prepared).catch((error: unknown) => {
    reading.close()
    throw error
  })
  for (const warning of writer.warnings) options.onWarning?.(warning)
  const writing = writeRecords({
    inputs: inputs.map(({ name }) => name),
    begin,
    read: reading.read,
    unitOf: (name) => (formOf(name, format) === 'array' ? 'index' : 'line'),
    toOperation: createToOperation(createShape(plan, ids), prepared),
    writer,
    onRejected: async (rejected) => {
      const { records } = writing.counts
      await saving.beforeReject()
      await rejects.add(plan === undefined ? withPlanHint(rejected) : rejected, records)
    },
    signal
  })
  const startMs = now()
  const isCollecting = typeof prepared.rejects.onError === 'object'
  const saving = saveProgress({ writing, checkpoint: checkpoint?.file, begin, rejects, isCollecting })
  const measure = createProgressMeter({ inputs, counts: writing.counts, begin, stats: writer.stats, now })
  const { onProgress, progressEveryMs = 1000 } = options
  const progressTimer = onProgress && setInterval(() => onProgress(measure()), progressEveryMs)
  const isGoingWell = (): boolean => !signal.aborted && writing.failure() === undefined
  // the first of several failures is thrown, because the others are its consequences
  await writing.run().catch(writing.stop)
  if (isGoingWell()) checkRejected()
  clearInterval(progressTimer)
  await writer.close(signal.aborted ? ABORTED_CLOSE_MS : CLOSE_MS).catch(writing.stop)
  const hasCheckpoint = await saving.end(isGoingWell()).catch(withoutCheckpoint)
  const { chargedRu, operations, throttledOperations } = writer.stats()
  const error = writing.failure()
  const summary = {
    ...writing.counts,
    isComplete: !signal.aborted && error === undefined,
    isResumed: begin !== BEGINNING,
    rejectedByCode: rejects.byCode,
    firstSkipped: rejects.firstSkipped(),
    chargedRu,
    operations,
    throttledOperations,
    seconds: (now() - startMs) / 1000,
    checkpoint: hasCheckpoint ? checkpoint?.path : undefined,
    error
  }
  options.onEnd?.(summary)
  if (error !== undefined) throw error
  return summary

  function checkRejected(): void {
    try {
      rejects.checkAtEnd(writing.counts.records)
    } catch (cause) {
      writing.stop(cause)
    }
  }

  function withoutCheckpoint(cause: unknown): boolean {
    // after an abort, `stop` ignores errors, so this one is reported as a warning
    if (signal.aborted) options.onWarning?.((cause as Error).message)
    writing.stop(cause)
    return false
  }
}

/** Adds to the reason that a record without a key needs a plan. */
export function withPlanHint<T extends Pick<RejectedLine, 'code' | 'message'>>(rejected: T): T {
  if (rejected.code !== 'FIELD_MISSING') return rejected
  const hint =
    'Without a plan, the record itself must contain the partition key of the container. Set `plan` to make the key from fields.'
  return { ...rejected, message: `${rejected.message} ${hint}` }
}

async function openWriter(options: LoadOptions, { plan, share }: PreparedLoad): Promise<Writer> {
  const { sharedThrough } = options
  return createWriter({
    ...accountOptionsOf(options),
    ...(plan === undefined ? {} : { plan }),
    ...(sharedThrough === undefined ? {} : { sharedThrough }),
    share,
    maxBytes: WRITER_BYTES
  })
}

function openCheckpoint(
  options: LoadOptions,
  { target, plan, inputs, format, strategy, changeData }: PreparedLoad
): LoadParts['checkpoint'] {
  const [{ name }] = inputs
  const path = options.checkpoint ?? (name === '-' ? false : `${name}.checkpoint`)
  if (path === false) return undefined
  const identity: LoadIdentity = {
    target,
    plan: plan?.fingerprint ?? null,
    ids: options.id ?? null,
    strategy,
    ...formIn({ ...format, changeData })
  }
  const isWhole = (input: string): boolean => options.id === 'position' || isReadFromBeginning(input, format)
  return { path, file: createCheckpointFile(path, identity, { inputs, isWhole }) }
}

// checkpoints have no `form` if none of these options is set
function formIn({
  form,
  pick,
  delimiter,
  changeData
}: PreparedLoad['format'] & Pick<PreparedLoad, 'changeData'>): Pick<LoadIdentity, 'form'> {
  const named = { form, pick, delimiter, changeData }
  return Object.values(named).every((value) => value === undefined) ? {} : { form: JSON.stringify(named) }
}

/** Paths of the files that a load uses. */
interface LoadPaths {
  readonly inputs: readonly string[]
  readonly plan: string | undefined
  readonly checkpoint: string | undefined
  readonly collect: string | undefined
}

/**
 * Throws OPTION_INVALID if the checkpoint or the file of rejected records is also another file of the load, even if the
 * two paths are spelled differently.
 */
export async function checkPaths({ inputs, plan, checkpoint, collect }: LoadPaths): Promise<void> {
  const taken = new Map<string, string>()
  for (const input of inputs) if (input !== '-') await take(input, 'an input')
  if (plan !== undefined) await take(plan, 'the key plan')
  if (checkpoint !== undefined) {
    await checkNotTaken(checkpoint, `The checkpoint ${checkpoint}`, '`checkpoint`')
    await checkNotTaken(`${checkpoint}.new`, `${checkpoint}.new, the temporary name of the checkpoint,`, '`checkpoint`')
    await take(checkpoint, 'the checkpoint')
    await take(`${checkpoint}.new`, 'the temporary name of the checkpoint')
  }
  if (collect !== undefined) await checkNotTaken(collect, `The file of rejected records ${collect}`, '`onError`')

  async function take(path: string, what: string): Promise<void> {
    for (const identity of await identitiesOf(path)) taken.set(identity, what)
  }

  async function checkNotTaken(path: string, subject: string, option: string): Promise<void> {
    for (const identity of await identitiesOf(path)) {
      const what = taken.get(identity)
      if (what !== undefined)
        throw new KeystampError('OPTION_INVALID', `${subject} is also ${what}. Name another file with ${option}.`)
    }
  }
}

/**
 * Returns the path with its links resolved, and the identity of the file, because a file can have several hard links.
 */
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
  // no such file: only its path can be compared
}
