import type { MakeText } from './make-text.ts'

/** Makes texts one after another and joins them; the first one that cannot be made is the answer. */
export function joinTexts(makers: readonly MakeText[], separator: string): MakeText {
  const [first, second] = makers
  if (makers.length === 1) return first
  if (makers.length === 2) {
    return (values, source, id) => {
      const left = first(values, source, id)
      if (typeof left !== 'string') return left
      const right = second(values, source, id)
      return typeof right === 'string' ? left + separator + right : right
    }
  }
  return (values, source, id) => {
    let joined = ''
    for (let index = 0; index < makers.length; index++) {
      const text = makers[index](values, source, id)
      if (typeof text !== 'string') return text
      joined = index === 0 ? text : joined + separator + text
    }
    return joined
  }
}
