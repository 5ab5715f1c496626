import { takesAnyText } from '../compile/substitute.ts'
import type { ComponentRules, FieldRules, IdRules, LevelRules, PlanRules, SuffixRules } from '../plan/rules.ts'

/**
 * The rules by which keys are looked up. A field that is empty text is taken where the writer rejects the record:
 * documents under such keys exist, written by a version that did not reject them or by another program.
 */
export function readerRules({ versions }: PlanRules): PlanRules {
  return {
    versions: versions.map((version) => ({ ...version, levels: version.levels.map(readerLevel), id: version.id && readerId(version.id) }))
  }
}

function readerLevel(level: LevelRules): LevelRules {
  return { ...level, from: level.from.map(takeEmpty), suffix: level.suffix && readerSuffix(level.suffix) }
}

function readerId(id: IdRules): IdRules {
  return { ...id, from: id.from.map(takeEmpty) }
}

function readerSuffix(suffix: SuffixRules): SuffixRules {
  const { by } = suffix
  return typeof by === 'string' ? suffix : { ...suffix, by: by.map((field) => takeEmpty(field) as FieldRules) }
}

function takeEmpty(rules: ComponentRules): ComponentRules {
  if (rules.kind === 'kafka' && (rules.what === 'key' || rules.what === 'header')) return { ...rules, empty: rules.empty ?? '' }
  if (rules.kind !== 'field' || !takesAnyText(rules)) return rules
  return { ...rules, use: { ...rules.use, empty: rules.use.empty ?? '' } }
}
