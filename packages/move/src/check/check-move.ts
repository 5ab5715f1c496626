import type { CheckContext } from './check-rule.ts'
import { DOCUMENT_RULES } from './document-rules.ts'
import { estimateMove } from './estimate.ts'
import { FEED_RULES } from './feed-rules.ts'
import { LIFE_RULES, promiseOfTtl } from './life-rules.ts'
import type { CheckedSample, CheckedSide, CheckFinding, CheckVerdict, MoveCheck, Severity } from './move-check.ts'
import { type CheckedContainer, type MoveFacts, valueOf } from './move-facts.ts'
import { promiseOfBack, promiseOfDeletes, promiseOfKeyChanges, promiseOfPlan } from './promises.ts'
import { listText, plural } from './quantity.ts'
import { TARGET_RULES } from './target-rules.ts'
import { unknownIn } from './unknown-facts.ts'

const RULES = [...TARGET_RULES, ...DOCUMENT_RULES, ...FEED_RULES, ...LIFE_RULES]
const SEVERITIES: readonly Severity[] = ['stops', 'needs confirmation', 'note']

/** Computes what a move can promise, what stops it, and what it costs. Pure. */
export function checkMove(facts: MoveFacts): MoveCheck {
  const context: CheckContext = {
    facts,
    deletes: promiseOfDeletes(facts),
    keyChanges: promiseOfKeyChanges(facts),
    back: promiseOfBack(facts),
    estimate: estimateMove(facts)
  }
  const found = RULES.map((rule) => rule(context)).filter((each) => each !== undefined)
  const findings = SEVERITIES.flatMap((severity) => found.filter((each) => each.severity === severity))
  return {
    schemaVersion: 1,
    verdict: verdictOf(findings),
    findings,
    source: sideOf(facts.source),
    target: targetOf(facts),
    plan: promiseOfPlan(facts),
    deletes: context.deletes,
    keyChanges: context.keyChanges,
    back: context.back,
    ttl: promiseOfTtl(context),
    estimate: context.estimate,
    recipe: facts.recipe,
    sample: sampleOf(facts),
    unknown: unknownIn(facts, context.estimate)
  }
}

function verdictOf(findings: readonly CheckFinding[]): CheckVerdict {
  const codesOf = (severity: Severity): readonly string[] =>
    findings.filter((each) => each.severity === severity).map(({ code }) => code)
  const stops = codesOf('stops')
  if (stops.length > 0)
    return {
      kind: 'stops',
      sentence: `The move cannot begin: ${plural(stops.length, 'finding')} of this check ${stops.length === 1 ? 'stops' : 'stop'} it (${listText(stops)}).`
    }
  const confirmed = codesOf('needs confirmation')
  if (confirmed.length > 0)
    return {
      kind: 'needs confirmation',
      sentence: `The move can begin after ${plural(confirmed.length, 'finding')} of this check ${confirmed.length === 1 ? 'is' : 'are'} confirmed (${listText(confirmed)}).`
    }
  return { kind: 'ready', sentence: 'The move can begin: no finding of this check needs a confirmation.' }
}

function sampleOf({ sample }: MoveFacts): CheckedSample | null {
  const found = valueOf(sample)
  if (found === undefined) return null
  const { secondsLeft: _left, ...counts } = found
  return counts
}

function sideOf(container: CheckedContainer): CheckedSide {
  const { name, definition, partitions } = container
  return {
    name,
    keyPaths: definition.partitionKey.paths,
    hashVersion: definition.partitionKey.version,
    partitions,
    documents: valueOf(container.documents) ?? null,
    bytes: valueOf(container.bytes) ?? null,
    largestKeyBytes: valueOf(container.largestKeyBytes) ?? null,
    throughput: valueOf(container.throughput) ?? null
  }
}

function targetOf({ target, targetName, plan }: MoveFacts): MoveCheck['target'] {
  if (target !== null) return { ...sideOf(target), exists: true }
  return {
    exists: false,
    name: targetName,
    keyPaths: plan.keyPaths,
    hashVersion: plan.hashVersion,
    partitions: null,
    documents: null,
    bytes: null,
    largestKeyBytes: null,
    throughput: null
  }
}
