declare module 'kafkajs/src/cluster/index.js' {
  import type { Broker } from 'kafkajs'

  /** Members of kafkajs's cluster that `group-coordinator.ts` uses. */
  // oxlint-disable-next-line import/no-default-export -- kafkajs uses default exports
  export default class KafkajsCluster {
    findGroupCoordinator: (this: KafkajsCluster, group: { readonly groupId: string }) => Promise<Broker>
    refreshMetadata(): Promise<void>
  }
}
declare module 'kafkajs/src/consumer/consumerGroup.js' {
  import type { Broker, Cluster } from 'kafkajs'

  /** Members of kafkajs's consumer group that `group-joins.ts` and `decoded-records.ts` use. */
  // oxlint-disable-next-line import/no-default-export -- kafkajs uses default exports
  export default class ConsumerGroup {
    readonly cluster: Cluster
    readonly groupId: string
    readonly assigners: readonly object[]
    coordinator: Broker
    /** Null before the first join, and after the member has left. */
    readonly memberId: string | null
    readonly generationId: number
    assigned(): readonly { readonly topic: string; readonly partitions: readonly number[] }[]
    joinAndSync: (this: ConsumerGroup) => Promise<void>
    heartbeat: (this: ConsumerGroup, options: { readonly interval: number }) => Promise<void>
    leave: (this: ConsumerGroup) => Promise<void>
    fetch: (this: ConsumerGroup, nodeId: string) => Promise<readonly unknown[]>
    recoverFromOffsetOutOfRange: (
      this: ConsumerGroup,
      error: { readonly topic: string; readonly partition: number }
    ) => Promise<void>
  }
}
declare module 'kafkajs/src/consumer/offsetManager/index.js' {
  import type { Broker, Cluster } from 'kafkajs'

  /** Members of kafkajs's offset manager that `group-coordinator.ts` uses. */
  // oxlint-disable-next-line import/no-default-export -- kafkajs uses default exports
  export default class OffsetManager {
    readonly cluster: Cluster
    readonly groupId: string
    coordinator: Broker
    getCoordinator: (this: OffsetManager) => Promise<Broker>
  }
}
declare module 'kafkajs/src/consumer/runner.js' {
  /** Members of kafkajs's runner that `patch-kafkajs.ts` uses. */
  // oxlint-disable-next-line import/no-default-export -- kafkajs uses default exports
  export default class Runner {
    readonly running: boolean
    readonly fetchManager: { readonly stop: () => Promise<void> }
    fetch: (this: Runner, nodeId: string) => Promise<readonly unknown[]>
  }
}
declare module 'kafkajs/src/network/requestQueue/index.js' {
  // oxlint-disable-next-line import/no-default-export -- kafkajs uses default exports
  export default class RequestQueue {
    scheduleCheckPendingRequests(): void
    checkPendingRequests(): void
  }
}
declare module 'kafkajs/src/protocol/decoder.js' {
  /** Members of kafkajs's decoder that `topic-id-request.ts` uses. */
  // oxlint-disable-next-line import/no-default-export -- kafkajs uses default exports
  export default class Decoder {
    constructor(buffer: Buffer)
    readInt16(): number
    readInt32(): number
    readBoolean(): boolean
    readBytes(length: number): Buffer | null
    readUVarIntString(): string | null
    readUVarIntArray<Item>(read: () => Item): Item[] | null
    readTaggedFields(): object | null
  }
}
declare module 'kafkajs/src/protocol/encoder.js' {
  /** Members of kafkajs's encoder that `topic-id-request.ts` uses. */
  // oxlint-disable-next-line import/no-default-export -- kafkajs uses default exports
  export default class Encoder {
    readonly buffer: Buffer
    writeBoolean(value: boolean): this
    writeUVarInt(value: number): this
    writeUVarIntString(text: string): this
    writeBufferInternal(bytes: Buffer): void
  }
}
declare module 'kafkajs/src/protocol/error.js' {
  /** The error of kafkajs for an error code of a broker. */
  export const createErrorFromCode: (code: number) => Error
}
