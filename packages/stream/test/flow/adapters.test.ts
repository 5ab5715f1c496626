import { ReadableStream } from 'node:stream/web'
import chain from 'stream-chain'
import { describe, expect, test } from 'vitest'
import { stampArrayStage, stampLinesStage, stampStage, toChainFunction, toWebTransform } from '../../src/index.ts'

const PLAN = { into: '/pk', from: [{ field: '/id' }] } as const

describe('toWebTransform', () => {
  test('makes a Web TransformStream of a stage, its end included', async () => {
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

  test('fails with the stage', async () => {
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
  test('lets a stream-chain run a stage, leave out what is rejected, and give its end', async () => {
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
