import { DELETED } from '@keystamp/cosmos'
import type { Random } from '@keystamp/testkit'
import { type Identity, identityText, isSameIdentity } from '../../src/documents/identity.ts'
import type { Direction } from '../../src/journal/journal.ts'
import type { Comparison } from '../../src/phases/compare-containers.ts'
import type { SimulatedContainer } from './simulated-container.ts'
import type { Body } from './simulated-document.ts'

type Disagreements = readonly (Comparison['disagreements'][number] & { readonly versions: string })[]

/** An application that writes to the container that is in charge, and keeps a log of its documents. */
export class Application {
  readonly #random: Random
  readonly #containers: Readonly<Record<Direction, SimulatedContainer>>
  readonly #basis: 'identity' | 'fields'
  /** Documents by old key and id. */
  readonly #log: Map<string, Body> = new Map()
  /** Direction whose source is in charge. */
  #inCharge: Direction = 'forward'
  #isFrozen = false
  #version = 0

  constructor(
    random: Random,
    containers: Readonly<Record<Direction, SimulatedContainer>>,
    basis: 'identity' | 'fields'
  ) {
    this.#random = random
    this.#containers = containers
    this.#basis = basis
  }

  get isFrozen(): boolean {
    return this.#isFrozen
  }

  /** Documents by old key and id. */
  get log(): ReadonlyMap<string, Body> {
    return this.#log
  }

  run(hook: 'before' | 'after' | 'canceled', direction: Direction): void {
    if (hook === 'before') this.#isFrozen = true
    else {
      this.#isFrozen = false
      this.#inCharge = hook === 'after' ? (direction === 'forward' ? 'back' : 'forward') : direction
    }
  }

  write(deleteShare: number = 0.25): void {
    if (this.#isFrozen) return
    const random = this.#random
    const name = { key: [`pk-${random.below(3)}`], id: `id-${random.below(6)}` }
    const text = identityText(name)
    const before = this.#log.get(text)
    const isDelete = before !== undefined && random.chance(deleteShare)
    const after: Body | undefined = isDelete
      ? undefined
      : { id: name.id, pk: name.key[0], group: `group-${random.below(3)}-${name.key[0]}`, version: ++this.#version }
    if (after === undefined) this.#log.delete(text)
    else this.#log.set(text, after)
    const container = this.#containers[this.#inCharge]
    if (this.#inCharge === 'forward') return container.apply(name, after)
    const [old, next] = [before && this.#placeOf(before), after && this.#placeOf(after)]
    // a document whose new key changes is created under it, and deleted under the old one
    if (next !== undefined) container.apply(next, { ...after!, key: next.key[0] })
    if (old !== undefined && (next === undefined || !isSameIdentity(old, next))) container.apply(old, undefined)
  }

  /**
   * Documents of the log that one of the containers does not have, and documents that are not in the log. Nothing is said
   * about those of `excused`, named by old key and id.
   */
  lost(excused: ReadonlySet<string> = new Set()): readonly string[] {
    return (['forward', 'back'] as const).flatMap((side) => {
      const expected = new Map(
        [...this.#log].map(([name, body]) => [
          identityText(side === 'forward' ? nameOf(body) : this.#placeOf(body)),
          { name, version: body['version'] }
        ])
      )
      const isInCharge = side === this.#inCharge
      const found = new Map(
        this.#containers[side]
          .bodies()
          .filter(({ body }) => isInCharge || !isMarker(body))
          .map(({ identity, body }) => [
            identityText(identity),
            { name: identityText(nameOf(body)), version: body['version'] }
          ])
      )
      return [...new Map([...expected, ...found])]
        .filter(([place, { name }]) => !excused.has(name) && found.get(place)?.version !== expected.get(place)?.version)
        .map(
          ([place]) =>
            `${side} ${place}: ${String(found.get(place)?.version)} for ${String(expected.get(place)?.version)}`
        )
    })
  }

  /** Result of a comparison of the source of a direction with its target. */
  disagreements(direction: Direction): Comparison['disagreements'] {
    const [source, target] = direction === 'forward' ? (['forward', 'back'] as const) : (['back', 'forward'] as const)
    const wrong = new Map<string, { readonly identity: Identity; readonly places: Identity[] }>()
    const add = (identity: Identity, places: readonly Identity[]): void => {
      const found = wrong.get(identityText(identity)) ?? { identity, places: [] }
      found.places.push(...places)
      wrong.set(identityText(identity), found)
    }
    const nameIn = (side: Direction, body: Body): Identity =>
      side === 'forward' ? { key: [body['pk'] as string], id: body.id } : this.#placeOf(body)
    for (const { identity, body } of this.#containers[source].bodies()) {
      if (isMarker(body)) continue
      const copy = this.#containers[target].current(nameIn(target, body))
      if (copy?.body['version'] !== body['version']) add(identity, [])
    }
    for (const { identity: place, body } of this.#containers[target].bodies()) {
      if (isMarker(body)) continue
      const owner = nameIn(source, body)
      const document = this.#containers[source].current(owner)
      if (document === undefined || !isSameIdentity(nameIn(target, document.body), place)) add(owner, [place])
    }
    return [...wrong.values()]
  }

  /** Those of earlier disagreements that remain, although the container in charge has not changed them since. */
  remaining(direction: Direction, before: Disagreements): Comparison['disagreements'] {
    return this.disagreements(direction).filter((now) => {
      const text = this.#versionsOf(direction, now)
      return before.some(({ identity, versions }) => isSameIdentity(identity, now.identity) && versions === text)
    })
  }

  /** Disagreements with the versions of their documents. */
  versioned(direction: Direction): Disagreements {
    return this.disagreements(direction).map((each) => ({ ...each, versions: this.#versionsOf(direction, each) }))
  }

  /** The version in charge; if there is none, those of the copies. */
  #versionsOf(direction: Direction, { identity, places }: Comparison['disagreements'][number]): string {
    const [source, target] = direction === 'forward' ? (['forward', 'back'] as const) : (['back', 'forward'] as const)
    const document = this.#containers[source].current(identity)
    return document?.etag ?? places.map((place) => this.#containers[target].current(place)?.etag).join()
  }

  #placeOf(body: Body): Identity {
    const key = this.#basis === 'identity' ? `${String(body['pk'])}-${body.id}` : String(body['group'])
    return { key: [key], id: body.id }
  }
}

/** Whether a move has left this in the place of a deleted copy. */
function isMarker(body: Body): boolean {
  return body[DELETED] === true
}

/** Key and id in the old container. */
export function nameOf(body: Body): Identity {
  return { key: [body['pk'] as string], id: body.id }
}
