import { NO_CONDITIONS, type OnOutcome, PendingOperation } from '../../src/dispatch/pending-operation.ts'
import { UNLIMITED } from '../../src/budget/ru-budget.ts'
import { Router } from '../../src/dispatch/router.ts'
import type { RouterOptions } from '../../src/dispatch/router-options.ts'
import type { Answer, OperationAnswer, Request } from '../../src/client/transport.ts'
import { VirtualClock } from '@keystamp/testkit'

/** A request that a router sent, and a function to answer it. */
export interface Sent {
  readonly request: Request
  readonly ids: readonly string[]
  readonly atMs: number
  readonly answer: (answer: Answer) => void
}

export interface StartedRouter {
  readonly router: Router
  readonly clock: VirtualClock
  readonly sent: Sent[]
  readonly stoppedBy: Error[]
  /** Runs everything that does not need time to pass. */
  readonly settle: () => Promise<void>
}

/**
 * Creates a router with one range. The test answers the requests. Time only passes when the test advances the clock.
 */
export function startRouter(options: Partial<RouterOptions> = {}): StartedRouter {
  const clock = new VirtualClock()
  const sent: Sent[] = []
  const stoppedBy: Error[] = []
  const router = new Router({
    ranges: [{ id: '0', min: '', max: 'FF', parents: [] }],
    transport: {
      send: (request) =>
        new Promise((answer) => {
          sent.push({ request, ids: idsOf(request), atMs: clock.now(), answer })
        }),
      close: () => {}
    },
    clock,
    random: () => 0.5,
    maxBytes: 1e9,
    retryForMs: 1e9,
    createBudget: () => UNLIMITED,
    refreshRanges: () => Promise.resolve([{ id: '0', min: '', max: 'FF', parents: [] }]),
    checkContainer: () => Promise.resolve(),
    renewSignatures: () => {},
    refreshEndpoints: () => {},
    onStop: (error) => stoppedBy.push(error),
    ...options
  })
  return { router, clock, sent, stoppedBy, settle: async () => void (await clock.runUntil(() => false, clock.now())) }
}

/** Creates an upsert of a small document. */
export function upsertOf(id: string, onOutcome: OnOutcome = () => {}): PendingOperation {
  return new PendingOperation(
    {
      type: 'Upsert',
      values: ['k'],
      id,
      definition: {},
      head: 0x1f000000,
      body: JSON.stringify({ id }),
      conditions: NO_CONDITIONS
    },
    onOutcome
  )
}

/** Creates a response with the same result for each operation of a request. */
export function allAnswered(request: Request, answer: OperationAnswer = { statusCode: 200, requestCharge: 7 }): Answer {
  return { kind: 'answered', operations: Array.from({ length: request.operations }, () => answer) }
}

function idsOf({ body }: Request): readonly string[] {
  return wireOperations(body).map(({ id, resourceBody }) => id ?? resourceBody!.id)
}

/** An operation as it is sent. */
export interface WireOperation {
  readonly operationType: string
  readonly partitionKey: string
  readonly id?: string
  readonly ifMatch?: string
  readonly resourceBody?: { readonly id: string }
}

export function wireOperations(body: Uint8Array): readonly WireOperation[] {
  return JSON.parse(Buffer.from(body).toString()) as readonly WireOperation[]
}
