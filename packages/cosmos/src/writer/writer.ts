import { createPlan, type Plan, type PlanDefinition } from '@keystamp/core'
import { EventEmitter } from 'node:events'
import type { Writable } from 'node:stream'
import { createClock, type SystemClock } from '@keystamp/core/internal'
import { createRuBudgets } from '../budget/ru-budgets.ts'
import { checkPart, readThroughput, smallShareWarning } from '../budget/throughput-share.ts'
import { type Account, openAccount } from '../client/account.ts'
import { type ContainerGuard, createContainerGuard } from '../client/container-guard.ts'
import { checkContainer, warningsAbout } from '../client/container.ts'
import { createHttpTransport } from '../client/http-transport.ts'
import { priorityHeaders } from '../client/priority.ts'
import type { Transport } from '../client/transport.ts'
import type { BatchEvent } from '../dispatch/response-handler.ts'
import type { Outcome, Written } from '../dispatch/outcome.ts'
import type { Fence } from '../dispatch/pending-operation.ts'
import { Router } from '../dispatch/router.ts'
import type { LateRequest } from '../dispatch/send-permit.ts'
import { checkOrderable } from './newest-options.ts'
import { createOperationIntake } from './operation-intake.ts'
import { keysFromRecord } from './keys-from-record.ts'
import type { Operation, UpsertOptions } from './operation.ts'
import { createRejectionWatch } from './rejection-watch.ts'
import type { ThrottledRange } from '../throttle/throttled-range.ts'
import { statsOf, type WriterStats } from './stats.ts'
import { createWritable, type WritableOptions } from './writable.ts'
import { resolveWriterOptions, type WriterOptions, type WriterSettings } from './writer-options.ts'

/** Writes into one container. Create it once, and use it for all writes. */
export interface Writer {
  /**
   * Resolves with the outcome of the operation. Operations on one document are applied in the order of the calls. A
   * rejected record is an outcome, too, and is not stored: check `outcome.kind`, or use `upsert`. Throws if the writer
   * stops (no permission, no container, no answer for `retryForMs`, or closed). Throws OPERATION_INVALID for an invalid
   * operation, such as a bare record.
   */
  readonly write: (operation: Operation) => Promise<Outcome>
  /**
   * Stores one record, an object or JSON bytes. Throws a RejectedError with the code of the outcome if the record is
   * rejected.
   */
  readonly upsert: (record: object, options?: UpsertOptions) => Promise<Written>
  /**
   * Like `write`, but without a promise, for very many writes. Calls `onOutcome` exactly once, with the outcome of the
   * operation or with the error that stopped the writer; at once if the operation cannot be sent. Throws only if
   * `onOutcome` is not a function. If the fence is raised before the operation is sent, the operation is never sent,
   * and the error has the code WRITE_FENCED.
   */
  readonly submit: (operation: Operation, onOutcome: (outcome: Outcome | Error) => void, fence?: Fence) => void
  /**
   * Applies up to 100 operations on one key as a whole or not at all. Resolves with one outcome for each operation.
   * Throws OPERATION_INVALID if an operation is invalid.
   */
  readonly writeAtomic: (operations: readonly Operation[], fence?: Fence) => Promise<readonly Outcome[]>
  /**
   * Uses only this part of its share from now on: a number above 0 and at most 1. For a process that has a known part
   * of the work.
   */
  readonly usePart: (part: number) => void
  /**
   * Returns false if the byte budget is used up. A caller that does not wait for `room` then needs unlimited memory.
   */
  readonly hasRoom: () => boolean
  /** Resolves when there is room for another operation like the last one. */
  readonly room: () => Promise<void>
  /** Resolves when all operations so far have their outcome. */
  readonly flush: () => Promise<void>
  /**
   * Accepts no more operations, waits for the open ones, and fails those that have no outcome at the deadline. Default:
   * 30,000 ms.
   */
  readonly close: (deadlineMs?: number) => Promise<void>
  readonly stats: () => WriterStats
  /** Creates a stream that writes objects or lines of JSON. */
  readonly writable: (options?: WritableOptions) => Writable
  readonly events: EventEmitter<WriterEvents>
  /**
   * Warnings about the plan, the container and the budget, which can be used, but may behave differently than expected.
   */
  readonly warnings: readonly string[]
}

/**
 * `batchAnswered`: for each request. `lateRequest`: for each request that may have been applied after its permission to
 * send had ended; and for each request without an answer, or with the answer 408 or 5xx, which may be applied after its
 * retry. `throttled`: for each range that is throttled, with the reason, at most once a second. `stopped`: once, when an error has stopped the writer; not when it is closed.
 */
export interface WriterEvents {
  readonly batchAnswered: [BatchEvent]
  readonly lateRequest: [LateRequest]
  readonly throttled: [ThrottledRange]
  readonly stopped: [Error]
}

/** Dependencies of a writer. */
interface WriterDependencies {
  readonly clock: SystemClock
  /** Returns random numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  readonly openAccount: (options: WriterOptions) => Account
  readonly createTransport: (
    account: Account,
    settings: WriterSettings,
    confirmContainer: ContainerGuard['confirm']
  ) => Transport
}

const DEFAULT_DEPENDENCIES: WriterDependencies = {
  clock: createClock(globalThis),
  random: Math.random,
  openAccount: ({ plan: _plan, ...options }) => openAccount(options),
  createTransport: (account, settings, confirmContainer) =>
    createHttpTransport({
      confirmContainer,
      endpoint: account.writeEndpoint,
      database: account.database,
      container: account.container,
      sign: account.signer(),
      agent: account.agent,
      timeoutMs: settings.requestTimeoutMs,
      headers: priorityHeaders(settings),
      readsSessionTokens: settings.newest !== undefined
    })
}

const CLOSE_MS = 30_000

/** Opens a container for writing; resolves when the container exists and matches the plan. */
export async function createWriter(
  options: WriterOptions,
  dependencies: WriterDependencies = DEFAULT_DEPENDENCIES
): Promise<Writer> {
  const settings = resolveWriterOptions(options)
  const { clock, random } = dependencies
  // before any request, because an invalid plan can be detected without the network
  const plan = settings.plan === undefined ? undefined : toPlan(settings.plan, random)
  const account = dependencies.openAccount(options)
  try {
    return await open()
  } catch (error) {
    account.close()
    throw error
  }

  async function open(): Promise<Writer> {
    // begins the read; the first request waits for it and reports a failure
    account.writeEndpoint().catch(() => undefined)
    const [definition, ranges] = await Promise.all([account.definition(), account.ranges()])
    // Reads the throughput after the other reads. Many roles may not read it, and the failure would end reads that run
    // at the same time.
    const throughput = await readThroughput({ account, share: settings.share, everyMs: settings.followOfferMs, clock })
    if (plan !== undefined) checkContainer(definition, plan)
    const { newest } = settings
    if (newest !== undefined) {
      const hasMarkers = newest.markerTtl !== undefined
      checkOrderable(definition, options.newest?.field, await account.hasWriteRegions(), hasMarkers)
    }
    const events = new EventEmitter<WriterEvents>()
    const budgets = await createRuBudgets({
      sharedThrough: settings.sharedThrough,
      onError: settings.onSharedBudgetError,
      clock,
      throughput,
      ranges
    })
    await budgets.ready
    const guard = createContainerGuard({
      account,
      definition,
      everyMs: settings.followOfferMs,
      clock,
      onStop: (error) => router.stop(error)
    })
    const transport = dependencies.createTransport(account, settings, guard.confirm)
    const router: Router = new Router({
      ranges,
      transport,
      clock,
      random,
      maxBytes: settings.maxBytes,
      newest,
      retryForMs: settings.retryForMs,
      createBudget: budgets.create,
      refreshRanges: async () => {
        // also checks the container, because the ranges of a container that was created again may have the same ids
        const [current] = await Promise.all([account.refreshRanges(), guard.stopIfRecreated()])
        return current
      },
      checkContainer: guard.check,
      renewSignatures: account.renewSignatures,
      refreshEndpoints: account.refreshEndpoints,
      maySend: settings.maySend,
      onUnauthorized: settings.onUnauthorized,
      onAuthorized: settings.onAuthorized,
      onBatch: (event) => events.emit('batchAnswered', event),
      onLate: (late) => events.emit('lateRequest', late),
      provisionedRuPerSecond: () => throughput.provisionedRuPerSecond,
      onThrottled: (throttled) => events.emit('throttled', throttled),
      onStop: (error) => events.emit('stopped', error)
    })
    throughput.follow(() => router.renewBudgets())
    guard.follow()
    const rejections = createRejectionWatch(`${account.database}/${account.container}`)
    const preparation = {
      keys: plan ?? keysFromRecord(definition.partitionKey),
      definition: definition.partitionKey,
      canExpire: definition.defaultTtl !== undefined,
      missingKeys: settings.missingKeys === true,
      newest
    }
    const intake = createOperationIntake(router, preparation, rejections)

    async function end(): Promise<void> {
      throughput.stop()
      guard.stop()
      transport.close()
      account.close()
      await budgets.close()
      // later, so that callers can still read the outcomes that they have kept
      setImmediate(rejections.warn)
    }

    const writer: Writer = {
      write: intake.write,
      upsert: intake.upsert,
      submit: intake.submit,
      writeAtomic: intake.writeAtomic,
      hasRoom: intake.hasRoom,
      room: intake.room,
      flush: () => router.flush(),
      usePart: (part) => {
        checkPart(part)
        throughput.usePart(part)
        router.renewBudgets()
      },
      close: (deadlineMs = CLOSE_MS) => intake.close(clock, deadlineMs, end),
      stats: () => statsOf(router, throughput),
      writable: (writableOptions) => createWritable(writer, writableOptions),
      events,
      warnings: [
        ...warningsAbout(definition, plan),
        ...[smallShareWarning(settings.share)].filter((warning) => warning !== undefined),
        ...(throughput.unknown === undefined
          ? []
          : [`${throughput.unknown} Without a number for \`share\`, only throttling limits the writer.`])
      ]
    }
    return writer
  }
}

function toPlan(plan: Plan | PlanDefinition, random: () => number): Plan {
  return typeof plan === 'object' && plan !== null && 'stampBytes' in plan
    ? plan
    : createPlan(plan, { requireId: true, random })
}
