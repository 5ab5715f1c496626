import { KeystampError } from '@keystamp/core'
import { createElementStage } from '../array/create-element-stage.ts'
import type { BytesStage } from '../bytes/bytes-stage.ts'
import { ARRAY_OPTIONS, BYTES_OPTIONS, checkOptions, KEY_OPTIONS, REJECT_OPTIONS } from '../flow/check-options.ts'
import type { Counts } from '../flow/counts.ts'
import { createProgressTeller, type ProgressTeller } from '../flow/progress.ts'
import type { KeySource } from '../key/key-source.ts'
import { toKeyStamper } from '../key/to-key-stamper.ts'
import { createLineStage } from '../lines/line-stage.ts'
import { createFileCollector, type FileCollector } from './file-collector.ts'
import { inputSize } from './input-size.ts'
import { createReadBuffers } from './file-reader.ts'
import { openInput } from './open-input.ts'
import { openOutput } from './open-output.ts'
import { ReadMeter } from './read-meter.ts'
import type { StampFilesOptions } from './stamp-files-options.ts'
import type { Writer } from './writer.ts'

const FILE_OPTIONS = ['inputs', 'output', 'form', 'signal', 'onProgress', 'progressEveryMs', 'chunkBytes', 'now']
const DEFAULT_CHUNK_BYTES = 512 * 1024

/** Stamps files of JSON, with large reads and writes that overlap the work. Nothing half is left under the output's name. */
// oxlint-disable-next-line no-explicit-any -- a key function says itself what it takes
export async function stampFiles<R = any>(source: KeySource<R>, options: StampFilesOptions): Promise<Counts> {
  checkOptions(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...BYTES_OPTIONS, ...ARRAY_OPTIONS, ...FILE_OPTIONS])
  if (options.inputs.length === 0) throw new KeystampError('OPTION_INVALID', '`inputs` must name at least one file or stream.')
  const { maxRejected, maxRecordBytes, to, pick, form = 'lines' } = options
  if (form !== 'array' && (to ?? pick) !== undefined) throw new KeystampError('OPTION_INVALID', '`to` and `pick` go with `form: "array"`.')
  const stamper = toKeyStamper(source, options)
  const size = await inputSize(options.inputs)
  const collector = await createFileCollector(options.onError)
  const writer = await openOutput(options.output, options.onError === undefined ? size.leastOutput : 0)
  const reject = { onError: collector.onError, ...(maxRejected === undefined ? {} : { maxRejected }) }
  try {
    const stage =
      form === 'array'
        ? createElementStage(stamper, { ...reject, maxRecordBytes, to, pick }, writer.allocate)
        : createLineStage(stamper, { ...reject, maxRecordBytes }, writer.allocate)
    await stampAll({ stage, writer, collector, bytesTotal: size.bytes }, options)
    await writer.finish()
    return stage.counts
  } catch (error) {
    await writer.abandon()
    throw error
  } finally {
    await collector.finish()
  }
}

interface Work {
  readonly stage: BytesStage
  readonly writer: Writer
  readonly collector: FileCollector
  readonly bytesTotal: number | undefined
}

async function stampAll({ stage, writer, collector, bytesTotal }: Work, options: StampFilesOptions): Promise<void> {
  const { inputs, signal, chunkBytes = DEFAULT_CHUNK_BYTES } = options
  const buffers = createReadBuffers(chunkBytes)
  const meter = new ReadMeter()
  const progress = tellProgress(stage.counts, meter, bytesTotal, options)
  for (const input of inputs) {
    const reader = await openInput(input, buffers, signal)
    meter.follow(reader)
    try {
      if (inputs.length > 1) stage.startInput(reader.name)
      for (let chunk = await reader.next(); chunk !== undefined; chunk = await reader.next()) {
        signal?.throwIfAborted()
        stage.push(chunk)
        await handOn()
        progress?.tick()
      }
      stage.endInput()
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

function tellProgress(
  counts: Counts,
  meter: ReadMeter,
  bytesTotal: number | undefined,
  options: StampFilesOptions
): ProgressTeller | undefined {
  const { onProgress, progressEveryMs = 1000, now = () => performance.now() } = options
  if (onProgress === undefined) return undefined
  return createProgressTeller(counts, { now, everyMs: progressEveryMs }, (told) =>
    onProgress({ ...told, bytesRead: meter.bytes, bytesTotal })
  )
}
