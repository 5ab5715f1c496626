import { type FaultAction, type FaultRule, parseFaultRule } from './fault-rule.ts'
import { kindsOf, type TargetKind } from './request-kind.ts'

/**
 * Properties of a request or operation that a fault can match. The range is computed on demand, since that takes a
 * hash.
 */
export interface FaultTarget {
  readonly kind: TargetKind
  readonly operationType?: string | undefined
  readonly database: string | undefined
  readonly container: string | undefined
  readonly id: string | undefined
  readonly partitionKey: string | undefined
  readonly range: () => string | undefined
}

/** An active rule. */
export interface ActiveFault {
  readonly id: string
  readonly rule: FaultRule
  /** Requests that matched. */
  matched: number
  /** Requests to which the fault was applied. */
  applied: number
}

/** The active faults; the oldest matching rule applies. */
export class Faults {
  readonly #random: () => number
  #active: ActiveFault[] = []
  #made = 0

  constructor(random: () => number) {
    this.#random = random
  }

  get isEmpty(): boolean {
    return this.#active.length === 0
  }

  /** Adds a rule and returns its id. */
  inject(rule: FaultRule): string {
    this.#made += 1
    const id = String(this.#made)
    this.#active.push({ id, rule: parseFaultRule(rule), matched: 0, applied: 0 })
    return id
  }

  /** Removes one rule, or all. */
  clear(id?: string): void {
    this.#active = id === undefined ? [] : this.#active.filter((fault) => fault.id !== id)
  }

  list(): readonly ActiveFault[] {
    return this.#active
  }

  /** The action for a target; undefined when no rule applies. */
  actionFor(target: FaultTarget): FaultAction | undefined {
    for (const fault of this.#active) {
      const { rule } = fault
      if (!isTarget(rule, target)) continue
      fault.matched += 1
      if (fault.matched <= (rule.after ?? 0) || fault.applied >= (rule.count ?? Number.POSITIVE_INFINITY)) continue
      if (rule.probability !== undefined && this.#random() >= rule.probability) continue
      fault.applied += 1
      return rule.action
    }
    return undefined
  }
}

function isTarget(rule: FaultRule, target: FaultTarget): boolean {
  if (!isKind(rule.on ?? 'any', target.kind)) return false
  if (rule.operationType !== undefined && rule.operationType !== target.operationType) return false
  for (const name of ['database', 'container', 'id', 'partitionKey'] as const) {
    if (rule[name] !== undefined && rule[name] !== target[name]) return false
  }
  return rule.range === undefined || rule.range === target.range()
}

function isKind(on: string | readonly string[], kind: TargetKind): boolean {
  if (typeof on === 'string') return kindsOf(on)?.includes(kind) === true
  return on.some((word) => isKind(word, kind))
}
