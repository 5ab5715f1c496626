import { EventEmitter } from 'node:events'
import { createPlan, type Plan, type PlanDefinition } from '@keystamp/core'
import { type Account, openAccount } from '../account/account.ts'
import { type Clock, MACHINE_CLOCK } from '../governor/clock.ts'
import { Router } from '../router/router.ts'
import { createHttpTransport } from '../transport/http-transport.ts'
import type { Transport } from '../transport/transport.ts'
import { readBudget } from './budget.ts'
import { checkContainer, warningsAbout } from './check-container.ts'
import { type ContainerGuard, createContainerGuard } from './container-guard.ts'
import { createFrontDoor } from './front-door.ts'
import { keysInPlace } from './keys-in-place.ts'
import { createPurses } from './purses.ts'
import { createRejectionWatch } from './rejection-watch.ts'
import { statsOf } from './stats.ts'
import { checkPart, smallShareWarning } from '../governor/share.ts'
import { createWritable } from './writable.ts'
import type { Writer, WriterEvents } from './writer.ts'
import { resolveWriterOptions, type WriterOptions, type WriterSettings } from './writer-options.ts'

/** What a writer touches of the machine and of the network. */
export interface WriterSurroundings {
  readonly clock: Clock
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  readonly openAccount: (options: WriterOptions) => Account
  readonly createTransport: (account: Account, settings: WriterSettings, confirmContainer: ContainerGuard['confirm']) => Transport
}

const MACHINE: WriterSurroundings = {
  clock: MACHINE_CLOCK,
  random: Math.random,
  openAccount: ({ plan: _plan, ...options }) => openAccount(options),
  createTransport: (account, { requestTimeoutMs }, confirmContainer) =>
    createHttpTransport({
      confirmContainer,
      endpoint: account.writeEndpoint,
      database: account.database,
      container: account.container,
      sign: account.signer(),
      agent: account.agent,
      timeoutMs: requestTimeoutMs
    })
}

const CLOSE_MS = 30_000

/** Opens a container for writing; it is there, and is what the plan stamps for, when the promise resolves. */
export async function createWriter(options: WriterOptions, surroundings: WriterSurroundings = MACHINE): Promise<Writer> {
  const settings = resolveWriterOptions(options)
  const { clock, random } = surroundings
  // first: a plan that is wrong is known without the network
  const plan = settings.plan === undefined ? undefined : toPlan(settings.plan, random)
  const account = surroundings.openAccount(options)
  try {
    return await open()
  } catch (error) {
    account.close()
    throw error
  }

  async function open(): Promise<Writer> {
    // the first request waits for it; a failure is met there
    account.writeEndpoint().catch(() => undefined)
    const [definition, ranges] = await Promise.all([account.definition(), account.ranges()])
    // after them: a role that may not read the throughput is common, and that failure would end the reads beside it
    const budget = await readBudget({ account, share: settings.share, everyMs: settings.followOfferMs, clock })
    if (plan !== undefined) checkContainer(definition, plan)
    const events = new EventEmitter<WriterEvents>()
    const purses = await createPurses({ settings, clock, budget, ranges })
    await purses.ready
    const guard = createContainerGuard({
      account,
      definition,
      everyMs: settings.followOfferMs,
      clock,
      onStop: (error) => router.stop(error)
    })
    const transport = surroundings.createTransport(account, settings, guard.confirm)
    const router: Router = new Router({
      ranges,
      transport,
      clock,
      random,
      maxBytes: settings.maxBytes,
      retryForMs: settings.retryForMs,
      createPurse: purses.create,
      refreshRanges: async () => {
        // ranges of a container that was created again may have the same names
        const [current] = await Promise.all([account.refreshRanges(), guard.look()])
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
      onStop: (error) => events.emit('stopped', error)
    })
    budget.follow(() => router.renewPurses())
    guard.follow()
    const rejections = createRejectionWatch(`${account.database}/${account.container}`)
    const preparation = {
      keys: plan ?? keysInPlace(definition.partitionKey),
      definition: definition.partitionKey,
      canExpire: definition.defaultTtl !== undefined
    }
    const door = createFrontDoor(router, preparation, rejections)

    async function end(): Promise<void> {
      budget.stop()
      guard.stop()
      transport.close()
      account.close()
      await purses.close()
      // who has kept the outcomes reads them after this
      setImmediate(rejections.warn)
    }

    const writer: Writer = {
      write: door.write,
      upsert: door.upsert,
      submit: door.submit,
      writeAtomic: door.writeAtomic,
      hasRoom: door.hasRoom,
      room: door.room,
      flush: () => router.flush(),
      usePart: (part) => {
        checkPart(part)
        budget.usePart(part)
        router.renewPurses()
      },
      close: (deadlineMs = CLOSE_MS) => door.close(clock, deadlineMs, end),
      stats: () => statsOf(router, budget),
      writable: (writableOptions) => createWritable(writer, writableOptions),
      events,
      warnings: [
        ...warningsAbout(definition, plan),
        ...[smallShareWarning(settings.share)].filter((warning) => warning !== undefined),
        ...(budget.unknown === undefined
          ? []
          : [`${budget.unknown} Without a number for \`share\`, only what is refused limits the writer.`])
      ]
    }
    return writer
  }
}

function toPlan(plan: Plan | PlanDefinition, random: () => number): Plan {
  return typeof plan === 'object' && plan !== null && 'stampBytes' in plan ? plan : createPlan(plan, { requireId: true, random })
}
