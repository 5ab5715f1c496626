const BACKSLASH = 0x5c

/** Up to three marks as `copyText` and `isPlainText` look for them: each four times in a word. */
export function marksOf(marks: string): readonly [number, number, number] {
  // a backslash is looked for in any case
  const [one = BACKSLASH, two = one, three = two] = Array.from(marks, (mark) => mark.charCodeAt(0))
  return [fourOf(one), fourOf(two), fourOf(three)]
}

function fourOf(code: number): number {
  return Math.imul(code, 0x01010101)
}
