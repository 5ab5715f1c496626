import type { SinkRecord, SinkSettings } from '@keystamp/connector'
import { joinedLengthBound, joinInto, type StampedBytes } from '@keystamp/core'

interface PathSettings {
  readonly value: SinkSettings['value']
  readonly shape?: readonly object[]
}

/** Creates the path of a record from its bytes to those of a request, with the build of the connector. */
export async function createRecordPath({ value, shape }: PathSettings): Promise<(record: SinkRecord) => void> {
  const { createShapedDecoder, createRecordMapper } = await loadParts()
  const numbers = { int64: 'string', decimal: 'string' } as const
  const { decode } = createShapedDecoder({ key: { format: 'text' }, value, registry: undefined, numbers, shape })
  const { map } = createRecordMapper({
    settings: { plan: PLAN, id: undefined, write: WRITE },
    container: { partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 }, defaultTtl: undefined }
  })
  const target = Buffer.alloc(1 << 16)
  return (record) => {
    const mapped = map(record, decode(record))
    if (mapped.stamped === undefined || joinedLengthBound(mapped.stamped) > target.length)
      throw new Error('A record was not stored.')
    joinInto(mapped.stamped, target, 0)
  }
}

const PLAN = { into: '/pk', from: [{ field: '/VIN' }], suffix: { by: '/VIN', count: 400 } } as const

const WRITE = {
  strategy: 'overwrite',
  patch: undefined,
  tombstones: 'ignore',
  ttl: undefined,
  metadata: undefined,
  drop: [],
  atomic: false,
  rehome: undefined
}

interface Parts {
  readonly createShapedDecoder: (
    settings: Pick<SinkSettings, 'key' | 'value' | 'registry' | 'numbers'> & {
      readonly shape: readonly object[] | undefined
    }
  ) => { readonly decode: (record: SinkRecord) => unknown }
  readonly createRecordMapper: (options: object) => {
    readonly map: (record: SinkRecord, decoded: unknown) => { readonly stamped?: StampedBytes }
  }
}

// the package does not export them: a sink creates its own
async function loadParts(): Promise<Parts> {
  const connector = import.meta.resolve('@keystamp/connector')
  const [decoder, mapper] = (await Promise.all(
    ['shape/shaped-decoder.js', 'map/record-mapper.js'].map((file) => import(new URL(file, connector).href))
  )) as [Pick<Parts, 'createShapedDecoder'>, Pick<Parts, 'createRecordMapper'>]
  return { ...decoder, ...mapper }
}
