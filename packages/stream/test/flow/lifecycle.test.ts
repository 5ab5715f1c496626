import { EventEmitter } from 'node:events'
import { PassThrough, Readable, type Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { stamp, stampArray, stampLines } from '../../src/index.ts'

const PLAN = { into: '/pk', from: [{ field: '/id' }] } as const

interface Form {
  readonly name: string
  readonly create: (options: { signal?: AbortSignal; onError?: { collect: Writable } }) => Transform
  readonly chunk: unknown
}

const FORMS: readonly Form[] = [
  { name: 'stamp', create: (options) => stamp(PLAN, options), chunk: { id: 'a' } },
  { name: 'stampLines', create: (options) => stampLines(PLAN, options), chunk: Buffer.from('{"id":"a"}\n') },
  { name: 'stampArray', create: (options) => stampArray(PLAN, options), chunk: Buffer.from('[{"id":"a"},'.padEnd(12)) }
]

describe.each(FORMS)('$name', ({ create, chunk }) => {
  const objectMode = !Buffer.isBuffer(chunk)

  test('is destroyed with the other streams of the pipeline when the sink fails', async () => {
    const parts = pipelineParts(create({}), (callback) => callback(new Error('sink failed')))

    await expect(pipeline(parts.source, parts.stage, parts.sink)).rejects.toThrow('sink failed')

    expectClosed(parts)
  })

  test('is destroyed with the other streams of the pipeline when the signal aborts', async () => {
    const abort = new AbortController()
    const parts = pipelineParts(create({ signal: abort.signal }))
    const work = pipeline(parts.source, parts.stage, parts.sink)
    setTimeout(() => abort.abort(), 10)

    await expect(work).rejects.toMatchObject({ name: 'AbortError' })

    expectClosed(parts)
    expect(listenersOf(abort.signal)).toBe(0)
  })

  test('is destroyed with the other streams of the pipeline when the source is destroyed', async () => {
    const parts = pipelineParts(create({}))
    const work = pipeline(parts.source, parts.stage, parts.sink)
    setTimeout(() => parts.source.destroy(new Error('source failed')), 10)

    await expect(work).rejects.toThrow('source failed')

    expectClosed(parts)
  })

  test('ends its side stream when the source fails, and leaves no listener on it', async () => {
    const side = new PassThrough({ objectMode: true })
    const before = countListeners(side)
    const parts = pipelineParts(create({ onError: { collect: side } }))
    const work = pipeline(parts.source, parts.stage, parts.sink)
    setTimeout(() => parts.source.destroy(new Error('source failed')), 10)

    await expect(work).rejects.toThrow('source failed')
    side.resume()
    await new Promise((resolve) => side.once('close', resolve))

    expect(countListeners(side)).toBeLessThanOrEqual(before)
  })

  test('buffers no more than its high water marks allow while the sink is slow', async () => {
    const parts = pipelineParts(create({}), () => {})
    const work = pipeline(parts.source, parts.stage, parts.sink)

    await new Promise((resolve) => {
      setTimeout(resolve, 30)
    })

    const { stage } = parts
    expect(stage.readableLength).toBeLessThanOrEqual(stage.readableHighWaterMark * 2)
    expect(stage.writableLength).toBeLessThanOrEqual(stage.writableHighWaterMark * 2)
    parts.source.destroy()
    await expect(work).rejects.toThrow('Premature close')
  })

  function pipelineParts(
    stage: Transform,
    write: (callback: (error?: Error | null) => void) => void = setImmediate
  ): { readonly source: Readable; readonly stage: Transform; readonly sink: Writable } {
    let isFirst = true
    const source = new Readable({
      objectMode,
      read() {
        const next = isFirst || objectMode ? chunk : Buffer.from(chunk.toString().replace('[', ' '))
        isFirst = false
        setImmediate(() => this.push(next))
      }
    })
    return {
      source,
      stage,
      sink: new Writable({ objectMode, write: (_chunk, _encoding, callback) => write(callback) })
    }
  }
})

function expectClosed(parts: { readonly source: Readable; readonly stage: Transform; readonly sink: Writable }): void {
  for (const part of [parts.source, parts.stage, parts.sink]) expect(part.destroyed).toBe(true)
}

function listenersOf(signal: AbortSignal): number {
  return EventEmitter.listenerCount(signal as unknown as EventEmitter, 'abort')
}

function countListeners(stream: Writable): number {
  return stream.eventNames().reduce((count, name) => count + stream.listenerCount(name), 0)
}
