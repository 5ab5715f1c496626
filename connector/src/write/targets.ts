import { isKeystampError, KeystampError } from '@keystamp/core'
import type { CosmosSettings, KafkaSettings, SinkSettings } from '../config/settings.ts'
import type { TopicPattern } from '../config/topic-pattern.ts'
import type { Consumer } from '../kafka/consumer-port.ts'
import type { AuthGrace } from '../lifecycle/auth-grace.ts'
import { type Clock, waitFor, withTimeout } from '../lifecycle/clock.ts'
import type { Wait } from '../lifecycle/waits.ts'
import type { Target } from './target.ts'

/** Containers that a sink writes to, each opened once. */
export interface Targets {
  /** Opens the container of the topic, unless it is open already. */
  readonly open: (topic: string) => Promise<Target>
  /** Container of the topic, which is open. */
  readonly of: (topic: string) => Target
  /** Whether `open` resolves without waiting. */
  readonly isOpen: (topic: string) => boolean
  readonly all: () => Iterable<Target>
  /** Waits for containers that are not open yet, and waits of open containers. */
  readonly waits: readonly Wait[]
  readonly close: (deadlineMs: number) => Promise<void>
}

interface TargetsOptions extends Routing {
  readonly clock: Pick<Clock, 'schedule'>
  /** Default: refused credentials are final. */
  readonly auth?: AuthGrace | undefined
  /** Opens a container by its name. */
  readonly openTarget: (container: string) => Promise<Target>
}

/** Opens containers, and retries while Cosmos DB or the Redis of the budget does not answer. A refusal is final. */
export function createTargets({ cosmos, kafka, clock, auth, openTarget }: TargetsOptions): Targets {
  const opening = new Map<string, Promise<Target>>()
  const byTopic = new Map<string, Target>()
  const byContainer = new Map<string, Target>()
  /** Why a container could not be opened yet. */
  const unanswered = new Map<string, Pick<Wait, 'reason' | 'detail'>>()
  /** Ends the waits between attempts. */
  const closing = new AbortController()

  async function open(topic: string): Promise<Target> {
    const container = containerOf({ cosmos, kafka }, topic)
    let target = opening.get(container)
    if (target === undefined) opening.set(container, (target = openWithRetry(container)))
    const opened = await target
    byTopic.set(topic, opened)
    byContainer.set(container, opened)
    return opened
  }

  async function openWithRetry(container: string): Promise<Target> {
    for (;;) {
      try {
        if (!unanswered.has(container))
          unanswered.set(container, {
            reason: 'cosmos',
            detail: `container "${container}" is not open yet: no answer so far`
          })
        const target = await openTarget(container)
        unanswered.delete(container)
        // the sink has ended meanwhile
        if (closing.signal.aborted) await target.close(0)
        return target
      } catch (error) {
        unanswered.delete(container)
        if (!passes(error) || closing.signal.aborted) throw error
        unanswered.set(container, openingWait(container, error))
        await waitFor(TRY_AGAIN_MS, clock, closing.signal).catch(() => undefined)
        if (closing.signal.aborted) throw error
      }
    }
  }

  function passes(error: unknown): error is KeystampError {
    if (!isKeystampError(error)) return false
    return error.code === 'COSMOS_UNAUTHORIZED' ? auth?.refused('Cosmos DB') === true : isPassing(error)
  }

  return {
    open,
    of: (topic) => byTopic.get(topic)!,
    isOpen: (topic) => byTopic.has(topic),
    all: () => byContainer.values(),
    get waits() {
      const waits: Wait[] = []
      for (const [container, wait] of unanswered) waits.push({ ...wait, subject: container })
      for (const target of byContainer.values()) waits.push(...target.waits)
      return waits
    },
    close: async (deadlineMs) => {
      closing.abort()
      // a container that is opened later is closed at once
      await withTimeout(Promise.allSettled(opening.values()), deadlineMs, clock)
      await Promise.all([...byContainer.values()].map((target) => target.close(deadlineMs)))
    }
  }
}

/** The two containers of a sink with `move`: `source` is the one of `cosmos`, `target` the one of `move.to`. */
export type Side = 'source' | 'target'

/** The containers of a sink: with `move`, those before and after the switch. */
export interface SinkTargets extends Targets {
  /** Container on one side of the switch; without `move`, both sides are the same. */
  readonly on: (side: Side, topic: string) => Target
}

interface SinkTargetsOptions extends Pick<TargetsOptions, 'clock' | 'auth'> {
  readonly settings: Routing & Pick<SinkSettings, 'move'>
  readonly openTarget: (container: string, side: Side) => Promise<Target>
}

/** Opens both containers of a topic if the sink has a `move`. */
export function createSinkTargets({ settings, openTarget, ...rest }: SinkTargetsOptions): SinkTargets {
  const { cosmos, kafka, move } = settings
  const source = createTargets({ ...rest, cosmos, kafka, openTarget: (container) => openTarget(container, 'source') })
  if (move === undefined) return withOneSide(source)
  const target = createTargets({
    ...rest,
    cosmos: move.to,
    kafka,
    openTarget: (container) => openTarget(container, 'target')
  })
  const sides = { source, target }

  async function open(topic: string): Promise<Target> {
    const [before, after] = await Promise.all([source.open(topic), target.open(topic)])
    if (before.fingerprint !== after.fingerprint) return before
    throw new KeystampError(
      'CONFIG_INVALID',
      '`move.to.plan` makes the same keys and ids as the plan before: a sink could not tell offsets before the switch from those after it. Give it another plan, or remove `move`.'
    )
  }

  return {
    open,
    of: source.of,
    on: (side, topic) => sides[side].of(topic),
    isOpen: (topic) => source.isOpen(topic) && target.isOpen(topic),
    all: () => [...source.all(), ...target.all()],
    get waits() {
      return [...source.waits, ...target.waits]
    },
    close: async (deadlineMs) => {
      await Promise.all([source.close(deadlineMs), target.close(deadlineMs)])
    }
  }
}

function withOneSide(source: Targets): SinkTargets {
  const { open, of, isOpen, all, close } = source
  return {
    open,
    of,
    on: (_side, topic) => of(topic),
    isOpen,
    all,
    get waits() {
      return source.waits
    },
    close
  }
}

const TRY_AGAIN_MS = 2000

function openingWait(container: string, { code, message }: KeystampError): Pick<Wait, 'reason' | 'detail'> {
  const detail = `container "${container}" is not open yet: ${message.replace(/\.$/, '')}`
  return { reason: code === 'BUDGET_UNREACHABLE' ? 'redis' : 'cosmos', detail }
}

function isPassing(error: unknown): error is KeystampError {
  return isKeystampError(error) && error.retriable
}

/** Settings that tell which container gets the records of a topic. */
export interface Routing {
  readonly cosmos: Pick<CosmosSettings, 'container'>
  readonly kafka: Pick<KafkaSettings, 'topics'>
}

/** Container for the records of a topic. */
export function containerOf({ cosmos: { container }, kafka: { topics } }: Routing, topic: string): string {
  if (typeof container !== 'string') return container.get(topic) ?? topic
  // a rule has checked that the pattern has these groups
  const name = container.replaceAll(/\$\{([^}]*)\}/g, (_, variable: string) =>
    variable === 'topic' ? topic : (topics as TopicPattern).textOf(variable, topic)
  )
  if (name !== '') return name
  throw new KeystampError(
    'CONFIG_INVALID',
    `Topic "${topic}": cosmos.container "${container}" gives no name, because its group of kafka.topicPattern matches nothing.`
  )
}

interface BudgetDivisionOptions {
  readonly consumer: Pick<Consumer, 'countPartitions'>
  readonly clock: Pick<Clock, 'schedule'>
  /** Number of owned partitions. */
  readonly owned: () => number
  readonly targets: () => Iterable<Pick<Target, 'usePart'>>
  /** Counting the partitions failed several times in a row. Until it succeeds, the budget stays divided as it was. */
  readonly onCountFailed: (error: Error) => void
}

/** Limits a sink to the fraction of the provisioned throughput that corresponds to its topic partitions. */
interface BudgetDivision {
  /** Divides again. Called when partitions move and when a container was opened. */
  readonly divide: () => void
  readonly stop: () => void
}

export function divideBudget({
  consumer,
  clock,
  owned,
  targets,
  onCountFailed
}: BudgetDivisionOptions): BudgetDivision {
  let isAsking = false
  let isStopped = false
  let failures = 0
  let cancel: (() => void) | undefined

  function divide(): void {
    // a call during the request has no effect: `owned` is read after the answer
    if (isAsking || isStopped || owned() === 0) return
    cancel?.()
    isAsking = true
    void count().finally(() => {
      isAsking = false
      if (failures > 0 && !isStopped) cancel = clock.schedule(AGAIN_MS, divide)
    })
  }

  async function count(): Promise<void> {
    try {
      const all = await consumer.countPartitions()
      failures = 0
      const part = Math.min(1, owned() / all)
      if (part > 0) for (const target of targets()) target.usePart(part)
    } catch (error) {
      // one failure is normal while this member rejoins the group
      if (++failures >= MIN_FAILURES && !isStopped) onCountFailed(error as Error)
    }
  }

  return {
    divide,
    stop: () => {
      isStopped = true
      cancel?.()
    }
  }
}

const AGAIN_MS = 2000
const MIN_FAILURES = 3
