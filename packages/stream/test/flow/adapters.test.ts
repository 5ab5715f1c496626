import { ReadableStream } from 'node:stream/web'
import chain from 'stream-chain'
import { describe, expect, test } from 'vitest'
import { stampArrayStage, stampLinesStage, stampStage, toChainFunction, toWebTransform } from '../../src/index.ts'

const PLAN = { into: '/pk', from: [{ field: '/id' }] } as const

describe('toWebTransform', () => {
  test('creates a Web TransformStream from a stage, and writes the remaining output at the end', async () => {
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"id":"a"}\n{"id":'))
        controller.enqueue(new TextEncoder().encode('"b"}'))
        controller.close()
      }
    })

    const out: Buffer[] = []
    for await (const chunk of source.pipeThrough(toWebTransform(stampLinesStage(PLAN)))) out.push(chunk)

    expect(Buffer.concat(out).toString()).toBe('{"id":"a","pk":"a"}\n{"id":"b","pk":"b"}\n')
  })

  test('creates a Web TransformStream that fails if the stage fails', async () => {
    const source = new ReadableStream({
      start(controller) {
        controller.enqueue({ x: 1 })
      }
    })

    const reading = source
      .pipeThrough(toWebTransform(stampStage(PLAN)))
      .getReader()
      .read()

    await expect(reading).rejects.toMatchObject({ code: 'RECORD_REJECTED' })
  })
})

describe('toChainFunction', () => {
  test('creates a function for stream-chain that passes on no rejected record, and returns the remaining output at the end', async () => {
    const objects = chain([
      toChainFunction(stampStage(idOf, { into: '/pk', onError: 'skip' })),
      (record: { pk: string }) => record.pk
    ])
    const bytes = chain([toChainFunction(stampArrayStage(PLAN)), (chunk: Buffer) => chunk.toString()])

    objects.write({ id: 'a' })
    objects.write({ x: 1 })
    objects.end({ id: 'b' })
    bytes.write(Buffer.from('[{"id":"a"}'))
    bytes.end(Buffer.from(']'))

    expect(await objects.toArray()).toEqual(['a', 'b'])
    expect((await bytes.toArray()).join('')).toBe('{"id":"a","pk":"a"}\n')
  })
})

function idOf({ id }: { id?: string }): string {
  return id ?? ''
}
