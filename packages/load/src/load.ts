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
import { checkPaths } from './check-paths.ts'
import { accountOptionsOf, type LoadOptions, type LoadSummary, type PreparedLoad, prepareLoad } from './load-options.ts'
import { createProgressMeter } from './progress-meter.ts'
import { readAhead } from './read-ahead.ts'
import { openRejectedRecords, type RejectedRecords } from './rejected-records.ts'
import { saveProgress } from './save-progress.ts'
import { createOperationMaker, createShape } from './shape-record.ts'
import { writeRecords } from './write-records.ts'

/**
 * Writes the records of files into a container: within the budget, in the order of each document, and resumable by the same call.
 * Throws what stops it: OPTION_INVALID, CHECKPOINT_INVALID, RECORD_REJECTED and REJECTED_TOO_MANY are `KeystampError`s, as are the failures of files and of Cosmos DB.
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

// enough for some thousands of records at once: more is no faster, and only takes memory
const WRITER_BYTES = 8 * 1024 * 1024

const CLOSE_MS = 30_000
const ABORTED_CLOSE_MS = 10_000

async function loadInto(options: LoadOptions, { prepared, checkpoint, begin, rejects }: LoadParts): Promise<LoadSummary> {
  const { inputs, format, ids, plan, strategy, signal, stdin, now } = prepared
  const reading = readAhead((name, from) => readInput(name, format, { from, stdin, signal }), inputs[begin.input]?.name, begin.from)
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
    shape: createShape(plan, ids),
    toOperation: createOperationMaker(strategy),
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
  // the first of several failures is thrown: the others follow from it
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
    // after an abort no failure stops the load
    if (signal.aborted) options.onWarning?.((cause as Error).message)
    writing.stop(cause)
    return false
  }
}

function withPlanHint(rejected: RejectedLine): RejectedLine {
  if (rejected.code !== 'FIELD_MISSING') return rejected
  const hint = 'Without a plan the record itself must hold the key of the container: let `plan` make it.'
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

function openCheckpoint(options: LoadOptions, { target, plan, inputs, format, strategy }: PreparedLoad): LoadParts['checkpoint'] {
  const [{ name }] = inputs
  const path = options.checkpoint ?? (name === '-' ? false : `${name}.checkpoint`)
  if (path === false) return undefined
  const identity: LoadIdentity = {
    target,
    plan: plan?.fingerprint ?? null,
    ids: options.id ?? null,
    strategy,
    ...formIn(format)
  }
  const isWhole = (input: string): boolean => options.id === 'position' || isReadFromBeginning(input, format)
  return { path, file: createCheckpointFile(path, identity, { inputs, isWhole }) }
}

// checkpoints of lines have no form
function formIn({ form, pick, delimiter }: PreparedLoad['format']): Pick<LoadIdentity, 'form'> {
  const named = { form, pick, delimiter }
  return Object.values(named).every((value) => value === undefined) ? {} : { form: JSON.stringify(named) }
}
