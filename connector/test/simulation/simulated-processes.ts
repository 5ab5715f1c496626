import type { Sink } from '../../src/sink.ts'
import type { Member, SimulatedGroup } from './simulated-group.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** A process with one sink. A process that is not alive does nothing more. */
export interface SimulatedProcess {
  readonly sink: Sink
  readonly member: Member
  isAlive: boolean
}

interface SimulatedProcessesOptions {
  readonly clock: VirtualClock
  readonly random: () => number
  readonly group: SimulatedGroup
  readonly createSink: (member: Member, isAlive: () => boolean) => Sink
}

/** The processes of a group of sinks, which start, stop and crash. */
export class SimulatedProcesses {
  readonly #processes: SimulatedProcess[] = []
  readonly #options: SimulatedProcessesOptions

  constructor(options: SimulatedProcessesOptions) {
    this.#options = options
  }

  get areAllDead(): boolean {
    return this.#processes.every(({ isAlive }) => !isAlive)
  }

  begin(): void {
    const { group, createSink } = this.#options
    const member = group.createConsumer()
    const process: SimulatedProcess = { member, isAlive: true, sink: createSink(member, () => process.isAlive) }
    this.#processes.push(process)
    void process.sink.start()
  }

  stopOne(): void {
    const process = this.#alive()
    if (process === undefined) return
    void process.sink.stop().then(() => {
      process.isAlive = false
      return undefined
    })
  }

  killOne(): void {
    const { clock, random, group } = this.#options
    const process = this.#alive()
    if (process === undefined) return
    process.isAlive = false
    process.member.kill()
    // the group notices when the session is over
    clock.schedule(50 + random() * 100, () => group.leave(process.member))
  }

  #alive(): SimulatedProcess | undefined {
    const candidates = this.#processes.filter(({ isAlive, sink }) => isAlive && sink.state === 'running')
    return candidates[Math.floor(this.#options.random() * candidates.length)]
  }
}
