import type { KeyComponent } from '@keystamp/core'
import type { Comparison, Difference, Unsettled } from '@keystamp/move'

/** Report of `keystamp verify --json`, as docs/verify-report.schema.json describes it. */
export interface VerifyReport {
  readonly schemaVersion: 1
  readonly equal: boolean
  /** Names of the containers, with the host. */
  readonly a: string
  readonly b: string
  readonly began: string
  /** Time up to which the change feeds of both containers were followed. */
  readonly at: string
  readonly compared: { readonly a: number; readonly b: number }
  readonly missing: readonly ReportedDifference[]
  readonly extra: readonly ReportedDifference[]
  readonly different: readonly ReportedDifference[]
  readonly misplaced: readonly ReportedDifference[]
  readonly unsettled: readonly ReportedUnsettled[]
  /** False if the comparison ended early because of too many findings. */
  readonly complete: boolean
  readonly ruSpent: number
}

/** A document: by a hash, and with `--show-ids` by its key and id, too. */
export interface ReportedPlace {
  readonly hash: string
  /** `{}` stands for a property that the document does not have. */
  readonly key?: readonly (string | number | boolean | null | object)[]
  readonly id?: string
}

export interface ReportedDifference {
  readonly document: ReportedPlace
  /** Where the copy is; null if it is missing. */
  readonly copy: ReportedPlace | null
  /** Where the copy belongs; null if that is not known, or if there should be none. */
  readonly planned: ReportedPlace | null
  /** Why the plan cannot copy the document; null if it can. */
  readonly code: string | null
}

export interface ReportedUnsettled {
  readonly document: ReportedPlace
  readonly reason: Unsettled['reason']
}

export interface ReportFacts {
  readonly a: string
  readonly b: string
  readonly ruSpent: number
  readonly showIds: boolean
  readonly hashOf: (place: Difference['identity']) => string
}

/** Makes the report of a comparison. */
export function toVerifyReport(comparison: Comparison, { a, b, ruSpent, showIds, hashOf }: ReportFacts): VerifyReport {
  const { isEqual, beganMs, atMs, compared, differences, unsettled, isComplete } = comparison
  return {
    schemaVersion: 1,
    equal: isEqual,
    a,
    b,
    began: new Date(beganMs).toISOString(),
    at: new Date(atMs).toISOString(),
    compared: { a: compared.source, b: compared.target },
    missing: ofKind('missing'),
    extra: ofKind('extra'),
    different: ofKind('different'),
    misplaced: ofKind('misplaced'),
    unsettled: unsettled.map(({ identity, document, reason }) => ({ document: toPlace(identity, document), reason })),
    complete: isComplete,
    ruSpent: Math.round(ruSpent * 100) / 100
  }

  function ofKind(kind: Difference['kind']): readonly ReportedDifference[] {
    return differences
      .filter((difference) => difference.kind === kind)
      .map(({ identity, document, copy, planned, code }) => ({
        document: toPlace(identity, document),
        copy: copy === undefined ? null : toPlace(copy.place, hashOf(copy.place)),
        planned: planned === undefined ? null : toPlace(planned, hashOf(planned)),
        code: code ?? null
      }))
  }

  function toPlace({ key, id }: Difference['identity'], hash: string): ReportedPlace {
    return showIds ? { hash, key: key.map(toJson), id } : { hash }
  }
}

function toJson(value: KeyComponent): string | number | boolean | null | object {
  return value === undefined ? {} : value
}
