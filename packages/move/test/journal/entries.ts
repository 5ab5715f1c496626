import type { BeginEntry, Direction, Phase, PhaseEntry, RangeEntry, RangePosition } from '../../src/journal/journal.ts'

export const BEGIN: BeginEntry = {
  type: 'begin',
  at: '2026-01-01T00:00:00.000Z',
  from: { name: 'shop/old at a.example', rid: 'AAA=' },
  to: { name: 'shop/new at a.example', rid: 'BBB=' },
  plan: 'f00d'
}

export function phase(name: Phase, at = '2026-01-02T00:00:00.000Z'): PhaseEntry {
  return { type: 'phase', phase: name, at }
}

/** An entry with ranges such as `00-80`, each with the text after `@` as its position: `00-80@5`. */
export function ranges(texts: string, direction: Direction = 'forward'): RangeEntry {
  return { type: 'ranges', direction, ranges: texts.split(' ').map(position) }
}

function position(text: string): RangePosition {
  const [range, latest = null] = text.split('@')
  const [min, max] = range.split('-')
  return {
    range: { min, max },
    latest,
    versions: null,
    versionsAt: null,
    sessionToken: null,
    isCopied: false,
    documents: 0
  }
}

/** The inverse of `position`. */
export function textsOf(positions: readonly RangePosition[]): string {
  return positions
    .map(({ range, latest }) => `${range.min}-${range.max}${latest === null ? '' : `@${latest}`}`)
    .join(' ')
}
