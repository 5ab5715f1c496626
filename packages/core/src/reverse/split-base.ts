import { hasShape } from '../encode/canonical.ts'
import { unescape } from '../encode/escape.ts'
import type { ComponentRules, LevelRules } from '../plan/rules.ts'
import { BUCKET_LENGTH, isBucketText } from '../time/bucket.ts'

/**
 * The component texts of a base key, split from the right: every later component either has a shape of its own or holds no separator,
 * so what is left over is the first one, whatever it holds. `marks` is empty where nothing was escaped.
 */
export function splitBase(base: string, { from, separator }: LevelRules, marks: string): string[] | undefined {
  if (marks === '' && isAmbiguous(base, from, separator)) return undefined
  const texts: string[] = []
  let rest = base
  for (const component of from.slice(1).toReversed()) {
    const taken = takeLast(rest, component, separator, marks)
    if (taken === undefined) return undefined
    texts.unshift(taken.text)
    rest = rest.slice(0, taken.at)
  }
  if (from[0].kind === 'literal' && rest !== from[0].text) return undefined
  return rest.isWellFormed() ? [rest, ...texts] : undefined
}

interface Taken {
  readonly text: string
  /** Where the separator before it stands. */
  readonly at: number
}

function takeLast(rest: string, component: ComponentRules, separator: string, marks: string): Taken | undefined {
  const shaped = shapedLength(rest, component)
  const at = rest.length - shaped - 1
  if (shaped > 0 && at >= 0 && rest[at] === separator) return { text: rest.slice(at + 1), at }
  if (component.kind === 'literal') return undefined
  const last = rest.lastIndexOf(separator)
  const text = last < 0 ? undefined : marks === '' ? rest.slice(last + 1) : unescape(rest.slice(last + 1), marks)
  return text === undefined ? undefined : { text, at: last }
}

/** How long the component at the end is, where its shape tells; 0 where it does not. */
function shapedLength(rest: string, component: ComponentRules): number {
  if (component.kind === 'literal') return rest.endsWith(component.text) ? component.text.length : 0
  if (component.kind === 'bucket') {
    const length = BUCKET_LENGTH[component.unit]
    return isBucketText(rest.slice(-length), component.unit, component.minutes) ? length : 0
  }
  if (component.kind !== 'field') return 0
  if (component.type === 'date') return hasShape(rest.slice(-10), 'date') ? 10 : 0
  if (component.type === 'uuid') return hasShape(rest.slice(-36), 'uuid') ? 36 : 0
  if (component.type !== 'boolean') return 0
  return rest.endsWith('true') ? 4 : rest.endsWith('false') ? 5 : 0
}

// A key that was joined bare can be taken apart only where no component holds the separator.
function isAmbiguous(base: string, from: readonly ComponentRules[], separator: string): boolean {
  const hasShapes = from
    .slice(1)
    .every(
      (component) => component.kind === 'literal' || component.kind === 'bucket' || (component.kind === 'field' && isShaped(component.type))
    )
  return !hasShapes && base.split(separator).length !== from.length
}

function isShaped(type: string): boolean {
  return type === 'date' || type === 'uuid' || type === 'boolean'
}
