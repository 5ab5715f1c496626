import type { SinkRecord, SinkSettings } from '@keystamp/connector'
import { toPosition } from '@keystamp/core'

/** A function for each format, from the value of a record to JSON bytes. */
export interface Decoders {
  readonly registry: (value: Buffer) => Uint8Array
  readonly envelope: (value: Buffer) => Uint8Array
  readonly json: (value: Buffer) => Uint8Array
}

/**
 * Creates a decoder of each format, with the build of the connector whose entry point is at `connectorUrl`. The decoder
 * of the format `registry` has read the schema of `framed` already.
 */
export async function createDecoders(connectorUrl: string, registryUrl: string, framed: Buffer): Promise<Decoders> {
  const createDecoder = await loadCreateDecoder(connectorUrl)
  const key = Buffer.from('1FTFW1ET5DFC10312')
  const recordOf = (value: Buffer): SinkRecord => ({
    topic: 't',
    partition: 0,
    offset: toPosition(1n),
    timestamp: '0',
    key,
    value,
    headers: {}
  })
  const create = (format: 'registry' | 'json-envelope' | 'json'): ((value: Buffer) => Answer) => {
    const registry = { url: registryUrl, username: undefined, password: undefined, token: undefined, timeoutMs: 1000 }
    const { decode } = createDecoder({
      value: { format },
      key: { format: 'text' },
      registry,
      numbers: { int64: 'string', decimal: 'string' }
    })
    return (value) => decode(recordOf(value))
  }
  const [registry, envelope, json] = [create('registry'), create('json-envelope'), create('json')]
  await registry(framed)
  return {
    registry: (value) => jsonOf(registry(value)),
    envelope: (value) => jsonOf(envelope(value)),
    json: (value) => jsonOf(json(value))
  }
}

interface Answered {
  readonly ok: boolean
  readonly json?: Uint8Array | undefined
}

type Answer = Answered | Promise<Answered>

function jsonOf(answer: Answer): Uint8Array {
  if (answer instanceof Promise || answer.json === undefined) throw new Error('A record was not decoded.')
  return answer.json
}

type CreateDecoder = (settings: Pick<SinkSettings, 'key' | 'value' | 'registry' | 'numbers'>) => {
  readonly decode: (record: SinkRecord) => Answer
}

// the package does not export it: a sink creates its own decoder
async function loadCreateDecoder(connectorUrl: string): Promise<CreateDecoder> {
  const file = new URL('decode/decoder.js', connectorUrl)
  const { createDecoder }: { createDecoder: CreateDecoder } = await import(file.href)
  return createDecoder
}
