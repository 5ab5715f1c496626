declare module 'kafkajs/src/consumer/runner.js' {
  /** The members of kafkajs's runner that `stop-fetching.ts` uses. */
  // oxlint-disable-next-line import/no-default-export -- as kafkajs exports it
  export default class Runner {
    readonly running: boolean
    readonly fetchManager: { readonly stop: () => Promise<void> }
    fetch: (this: Runner, nodeId: string) => Promise<readonly unknown[]>
  }
}
