import { KeystampError } from '@keystamp/core'
import { Transform, type TransformCallback, type Writable } from 'node:stream'
import type { Counts } from '../counts.ts'
import { type Collector, createCollector } from '../reject/collector.ts'
import type { Rejected, RejectOptions } from '../reject/rejected.ts'
import { createProgressReporter, type ProgressReporter } from './progress.ts'
import type { StreamOptions } from './stream-options.ts'

/** A synchronous stage, which a stream calls with each chunk. */
export interface SyncStage {
  /** Returns the output for a chunk; undefined for none. */
  readonly push: (chunk: never) => unknown
  /** Returns the remaining output at the end. */
  readonly finish: () => unknown
  readonly counts: Counts
}

/** A stage as a Node stream. If it has a listener for `progress`, it emits that event with a `Progress`. */
export interface StageTransform extends Transform {
  /** Counts of the stage so far. */
  readonly counts: Readonly<Counts>
}

/** Wraps a synchronous stage in a stream: handles errors, the side stream, progress and closing. */
export function createTransform<R>(
  createStage: (reject: RejectOptions<R>) => SyncStage,
  options: StreamOptions<R>,
  objectMode: boolean
): StageTransform {
  const { onError = 'throw', maxRejected, signal, highWaterMark } = options
  let collector: Collector | undefined
  let progress: ProgressReporter | undefined
  const side = typeof onError === 'object' ? sideOf(onError) : undefined
  const handler = typeof onError === 'object' ? (rejected: Rejected<R>) => collector?.collect(rejected) : onError
  const stage = createStage({ onError: handler, ...(maxRejected === undefined ? {} : { maxRejected }) })

  const stream = new Transform({
    objectMode,
    ...(signal && { signal }),
    ...(highWaterMark === undefined ? {} : { highWaterMark }),
    transform: objectMode
      ? (chunk, _encoding, callback) => work(chunk as never, callback)
      : // the microtask lets the source start to read its next chunk first, so that reading a file overlaps with the
        // work on this chunk
        (chunk, _encoding, callback) => queueMicrotask(() => work(chunk as never, callback)),
    flush: (callback) => finish(callback),
    destroy: (error, callback) => {
      collector?.abandon()
      callback(error)
    }
  })
  if (side !== undefined) collector = createCollector(side, (error) => stream.destroy(error))
  if (!objectMode) refuseObjects(stream)
  startProgressWhenHeard()
  return Object.assign(stream, { counts: stage.counts })

  function work(chunk: never, callback: TransformCallback): void {
    // the stream was destroyed after the chunk arrived: the chunk is not processed
    if (stream.destroyed) return callback()
    let made: unknown
    try {
      made = stage.push(chunk)
    } catch (error) {
      return callback(error as Error)
    }
    progress?.tick()
    if (collector === undefined) return callback(null, made)
    collector.whenReady(() => callback(null, made))
  }

  function finish(callback: TransformCallback): void {
    let made: unknown
    try {
      made = stage.finish()
    } catch (error) {
      return callback(error as Error)
    }
    progress?.finish()
    if (collector === undefined) return callback(null, made)
    collector.finish(() => callback(null, made))
  }

  function startProgressWhenHeard(): void {
    stream.on('newListener', (name) => {
      if (name !== 'progress' || progress !== undefined) return
      const { now = () => performance.now(), progressEveryMs = 1000 } = options
      progress = createProgressReporter(stage.counts, { everyMs: progressEveryMs, now }, (current) =>
        stream.emit('progress', current)
      )
    })
  }
}

function sideOf({ collect }: { readonly collect: Writable }): Writable {
  if (typeof collect?.write === 'function') return collect
  throw new KeystampError('OPTION_INVALID', '`collect` must be a writable stream.')
}

/**
 * Destroys the stream with an error if an object is written to it, as for any other wrong input. Node itself would
 * throw from `write`, and no pipeline catches that error.
 */
function refuseObjects(stream: Writable): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  stream.write = (...args: unknown[]): boolean => {
    const [chunk] = args
    if (typeof chunk === 'string' || ArrayBuffer.isView(chunk)) return write(...args)
    stream.destroy(noBytes())
    return false
  }
}

/** Creates the error for a chunk that is an object although the stage takes bytes. */
export function noBytes(): KeystampError {
  return new KeystampError(
    'INPUT_INVALID',
    'A chunk is an object, but this stage takes bytes or strings. For objects, use `stamp` (a stream) or `stampStage` (a function).'
  )
}
