import { type FaultAction, type FaultRule, parseFaultRule } from './fault-rule.ts'
import { kindsOf, type TargetKind } from './request-kind.ts'

/** What a request or an operation looks like to a fault; the range costs a hash, so it is asked for. */
export interface FaultTarget {
  readonly kind: TargetKind
  readonly operationType?: string | undefined
  readonly database: string | undefined
  readonly container: string | undefined
  readonly id: string | undefined
  readonly partitionKey: string | undefined
  readonly range: () => string | undefined
}

/** A rule in force. */
export interface ActiveFault {
  readonly id: string
  readonly rule: FaultRule
  /** Requests that matched. */
  matched: number
  /** Requests that were struck. */
  struck: number
}

/** The faults in force; the oldest rule that strikes decides. */
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

  /** Puts a rule in force and returns its id. */
  inject(rule: FaultRule): string {
    this.#made += 1
    const id = String(this.#made)
    this.#active.push({ id, rule: parseFaultRule(rule), matched: 0, struck: 0 })
    return id
  }

  /** Ends one rule, or all. */
  clear(id?: string): void {
    this.#active = id === undefined ? [] : this.#active.filter((fault) => fault.id !== id)
  }

  list(): readonly ActiveFault[] {
    return this.#active
  }

  /** The action that strikes a target, if one does. */
  strike(target: FaultTarget): FaultAction | undefined {
    for (const fault of this.#active) {
      const { rule } = fault
      if (!isTarget(rule, target)) continue
      fault.matched += 1
      if (fault.matched <= (rule.after ?? 0) || fault.struck >= (rule.count ?? Number.POSITIVE_INFINITY)) continue
      if (rule.probability !== undefined && this.#random() >= rule.probability) continue
      fault.struck += 1
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
