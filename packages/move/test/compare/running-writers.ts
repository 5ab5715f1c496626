import type { Identity } from '../../src/documents/identity.ts'
import { identityText, isSameIdentity } from '../../src/documents/identity.ts'
import type { Body } from '../simulation/simulated-document.ts'
import type { SimulatedPair } from './simulated-pair.ts'

export interface WriterOptions {
  /** Identities that the writers change. */
  readonly ids: number
  /** Time between two changes. */
  readonly everyMs: number
  /** Time after which a change is in the other container. */
  readonly maxLagMs: number
}

/** Writers that change both containers until `stop`; each change is in both after some time. */
export interface RunningWriters {
  readonly changes: () => number
  readonly stop: () => void
}

/** Starts writers of which most change the source first, as a copy does, and some the target. */
export function startWriters(pair: SimulatedPair, { ids, everyMs, maxLagMs }: WriterOptions): RunningWriters {
  const { random, clock, source } = pair
  /** Time of the last change of the other container, by document. */
  const due = new Map<string, number>()
  let version = 0
  let isStopped = false
  const changeLater = (): void => {
    clock.schedule(random.next() * everyMs * 2, () => {
      if (isStopped) return
      change()
      changeLater()
    })
  }
  changeLater()
  return {
    changes: () => version,
    stop: () => {
      isStopped = true
    }
  }

  function change(): void {
    const identity = { key: [`pk-${random.below(3)}`], id: `written-${random.below(ids)}` }
    const before = source.current(identity)?.body
    version++
    const isDelete = before !== undefined && random.chance(0.25)
    const after: Body | undefined = isDelete
      ? undefined
      : {
          id: identity.id,
          pk: identity.key[0],
          group: `${random.below(3)}-${identity.key[0]}`,
          version,
          text: random.text(4, 'ab')
        }
    const writes = [() => source.apply(identity, after), () => copyTo(identity, after)]
    // an application that writes both, in one or the other order
    const [first, second] = before !== undefined && random.chance(0.2) ? writes.toReversed() : writes
    inOrder(identity, 0, first)
    inOrder(identity, random.next() * maxLagMs, second)
  }

  /** Runs the work after the earlier work on the same document. */
  function inOrder(identity: Identity, delayMs: number, work: () => void): void {
    const text = identityText(identity)
    const atMs = Math.max((due.get(text) ?? 0) + 0.01, clock.now() + delayMs)
    due.set(text, atMs)
    clock.schedule(atMs - clock.now(), work)
  }

  /** Writes the copy, and deletes copies at other places some time later. */
  function copyTo(identity: Identity, body: Body | undefined): void {
    const { target, placeOf, copyOf } = pair
    const place = body === undefined ? undefined : placeOf(body)
    if (body !== undefined && place !== undefined) target.apply(place, copyOf(body))
    const stale = target
      .bodies()
      .filter((copy) => isSameIdentity({ key: [copy.body['pk'] as string], id: copy.body.id }, identity))
      .filter((copy) => place === undefined || !isSameIdentity(copy.identity, place))
    for (const copy of stale) target.apply(copy.identity, undefined)
  }
}
