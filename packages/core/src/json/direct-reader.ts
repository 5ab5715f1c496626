import type { DirectValue, ReadingPlan } from '../plan/compiled.ts'
import { isPlainText } from './copy-text.ts'
import { decodeAscii } from './decode-string.ts'
import type { DirectStamper } from './direct-stamper.ts'
import { marksOf } from './marks.ts'
import { MemberTable } from './member-table.ts'
import { ABSENT, type Scanner } from './scanner.ts'
import type { Splice } from './stamped-bytes.ts'
import type { Watch } from './watch.ts'

// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
const QUOTE = 0x22

const NO_SPLICES: readonly Splice[] = Object.freeze([])

/** Reads key and id where they stand: most records carry both as plain texts, and then nothing is left to be decided. */
export function createDirectReader({ levels, id }: ReadingPlan, { fields }: Watch): DirectStamper {
  const readLevels = levels.map((level) => createTextReader(level, fields))
  const readId = id && createTextReader(id, fields)
  // the common case: a list that is made by a call takes more time, and one that grows more memory
  const isFlat = readLevels.length === 1
  const [readFirst] = readLevels
  return (bytes, scanner, _source, start, end) => {
    // what may occur only once has to be cut
    if (scanner.repeated.length > 0) return undefined
    const idText = readId?.(scanner)
    if (readId !== undefined && idText === undefined) return undefined
    const values = isFlat ? [readFirst(scanner)] : readLevels.map((readLevel) => readLevel(scanner))
    if (!areTexts(values)) return undefined
    return { ok: true, bytes, start, end, splices: NO_SPLICES, values, id: idText, version: 0, members: new MemberTable(bytes, start, end) }
  }
}

function areTexts(values: readonly (string | undefined)[]): values is readonly string[] {
  for (let level = 0; level < values.length; level++) if (values[level] === undefined) return false
  return true
}

/** The text as it stands; undefined where it is not plain. */
type ReadText = (scanner: Scanner) => string | undefined

function createTextReader({ field, marks, certain, mayBeEmpty }: DirectValue, fields: readonly number[]): ReadText {
  const place = fields[field]
  const [one, two, three] = marksOf(marks)
  const least = mayBeEmpty ? 0 : 1
  return ({ valueStarts, valueEnds, whole, view }) => {
    const quote = valueStarts[place]
    if (quote === ABSENT || whole[quote] !== QUOTE) return undefined
    const first = quote + 1
    const behind = valueEnds[place] - 1
    const length = behind - first
    if (length < least || length > certain || !isPlainText(view, first, behind, one, two, three)) return undefined
    return decodeAscii(whole, first, behind)
  }
}
