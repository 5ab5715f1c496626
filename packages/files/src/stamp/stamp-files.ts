import type { PlanDefinition } from '@keystamp/core'
import type { Counts, KeySource } from '@keystamp/stream'
import {
  changeDataStamper,
  createElementStage,
  createLineStage,
  createProgressReporter,
  type FileStage,
  type KeyStamper,
  maxRecordBytesOf,
  type ProgressReporter,
  toKeyStamper
} from '@keystamp/stream/internal'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createCsvStage } from '../csv/csv-stage.ts'
import { codecOf } from '../inputs/codec.ts'
import { createReadBuffers, openInput, type Reader } from '../inputs/open-input.ts'
import { type InputForm, recognizeInput } from '../inputs/recognize-input.ts'
import { openOutput, type Writer } from '../outputs/open-output.ts'
import { openWithRoom } from '../outputs/target.ts'
import { inputError } from '../system-error.ts'
import {
  checkFileOptions,
  DEFAULT_CHUNK_BYTES,
  formOf,
  planForThreads,
  type StampFilesOptions
} from './stamp-files-options.ts'
import { checkOutput, createFileCollector, type FileCollector } from './reject-collector.ts'
import { ThreadedLines } from './threads/stamp-in-threads.ts'

/**
 * Stamps files of JSON, with large reads and writes that overlap the work. An output file has its final name only when
 * it is complete.
 */
// oxlint-disable-next-line no-explicit-any -- a key function declares its own record type
export async function stampFiles<R = any>(source: KeySource<R>, options: StampFilesOptions): Promise<Counts> {
  checkFileOptions(options)
  const rows = toKeyStamper(source, options)
  const stamper = options.changeData === undefined ? rows : changeDataStamper(rows)
  const form = formOf(options)
  const threadPlan = planForThreads(source, form, options)
  const size = await inputSize(options.inputs)
  await checkOutput(options, form)
  const collector = await createFileCollector(options.onError, options)
  try {
    const writer = await openOutput(options.output, (path) => openWithRoom(path, roomFor(form, options, size)))
    try {
      const threaded = threadPlan && createThreadedLines(threadPlan, options, collector, writer)
      const stage = threaded ?? createStage(form, stamper, options, collector, writer)
      try {
        await stampAll({ form, stage, writer, collector, bytesTotal: size.bytes }, options)
      } finally {
        await threaded?.close()
      }
      // completes the file of rejected records first, so that an output under its final name means that no record is
      // missing
      await collector.finish()
      await writer.finish()
      return stage.counts
    } catch (error) {
      await writer.abandon()
      throw error
    }
  } catch (error) {
    await collector.abandon()
    throw error
  }
}

// Only lines of which none is rejected have a known minimum size of the output: an array may be mostly whitespace, and
// CSV mostly empty values.
function roomFor(form: InputForm, { onError = 'throw' }: StampFilesOptions, { minOutputBytes }: InputSize): number {
  return form === 'lines' && onError === 'throw' ? minOutputBytes : 0
}

function createStage(
  form: InputForm,
  stamper: KeyStamper,
  options: StampFilesOptions,
  { onError }: FileCollector,
  { allocate }: Writer
): FileStage {
  const { maxRejected, maxRecordBytes, to, pick, delimiter } = options
  const common = { onError, maxRecordBytes, ...(maxRejected === undefined ? {} : { maxRejected }) }
  switch (form) {
    case 'array':
      return createElementStage(stamper, { ...common, to, pick }, allocate)
    case 'csv':
      return createCsvStage(stamper, { ...common, to, delimiter }, allocate)
    case 'lines':
      return createLineStage(stamper, common, allocate)
  }
}

function createThreadedLines(
  plan: PlanDefinition,
  options: StampFilesOptions,
  { onError, drain }: FileCollector,
  { keepsBytes, write }: Writer
): ThreadedLines {
  const { threads = 0, changeData, maxRejected, chunkBytes = DEFAULT_CHUNK_BYTES } = options
  const settings = {
    plan,
    changeData: changeData !== undefined,
    maxRecordBytes: maxRecordBytesOf(options),
    allTexts: typeof onError === 'function'
  }
  const rejections = { onError, ...(maxRejected === undefined ? {} : { maxRejected }) }
  return new ThreadedLines(threads, settings, 2 * chunkBytes, rejections, async (bytes) => {
    await write(keepsBytes ? Buffer.from(bytes) : bytes)
    await drain()
  })
}

interface Work {
  readonly form: InputForm
  readonly stage: FileStage
  readonly writer: Writer
  readonly collector: FileCollector
  readonly bytesTotal: number | undefined
}

async function stampAll(
  { form, stage, writer, collector, bytesTotal }: Work,
  options: StampFilesOptions
): Promise<void> {
  const { inputs, signal, chunkBytes = DEFAULT_CHUNK_BYTES } = options
  const buffers = createReadBuffers(chunkBytes)
  const meter = new ReadMeter()
  const progress = reportProgress(stage.counts, meter, bytesTotal, options)
  for (const input of inputs) {
    const reader = await openInput(input, buffers, signal)
    meter.follow(reader)
    try {
      if (inputs.length > 1 || form === 'csv' || (form === 'array' && typeof input === 'string'))
        stage.startInput(reader.name)
      let isFirst = true
      for (let chunk = await reader.next(); chunk !== undefined; chunk = await reader.next()) {
        signal?.throwIfAborted()
        if (isFirst) recognizeInput(typeof input === 'string' ? input : undefined, chunk, form)
        isFirst = false
        await stage.push(chunk)
        await handOn()
        progress?.tick()
      }
      await stage.endInput()
    } finally {
      await reader.close()
    }
  }
  stage.finish()
  await handOn()
  progress?.finish()

  async function handOn(): Promise<void> {
    const made = stage.take()
    if (made.length > 0) await writer.write(made)
    await collector.drain()
  }
}

function reportProgress(
  counts: Counts,
  meter: ReadMeter,
  bytesTotal: number | undefined,
  options: StampFilesOptions
): ProgressReporter | undefined {
  const { onProgress, progressEveryMs = 1000, now = () => performance.now() } = options
  if (onProgress === undefined) return undefined
  return createProgressReporter(counts, { now, everyMs: progressEveryMs }, (current) =>
    onProgress({ ...current, bytesRead: meter.bytes, bytesTotal })
  )
}

/** Adds up the bytes read from all inputs. */
class ReadMeter {
  #before = 0
  #reader: Reader | undefined

  follow(reader: Reader): void {
    this.#before = this.bytes
    this.#reader = reader
  }

  get bytes(): number {
    return this.#before + (this.#reader?.bytesRead() ?? 0)
  }
}

/** Returns the size of all inputs in bytes. Throws if an input does not exist, before any work is done. */
async function inputSize(inputs: readonly (string | Readable)[]): Promise<InputSize> {
  let bytes: number | undefined = 0
  let isPlain = true
  for (const input of inputs) {
    const size = typeof input === 'string' ? await sizeOf(input) : undefined
    bytes = size === undefined || bytes === undefined ? undefined : bytes + size
    isPlain &&= typeof input === 'string' && codecOf(input) === undefined
  }
  return { bytes, minOutputBytes: isPlain ? (bytes ?? 0) : 0 }
}

interface InputSize {
  /** Undefined if it is not known beforehand. */
  readonly bytes: number | undefined
  /** Minimum size of the output if no record is rejected. */
  readonly minOutputBytes: number
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path)
    return found.isFile() ? found.size : undefined
  } catch (error) {
    throw inputError(path, error)
  }
}
