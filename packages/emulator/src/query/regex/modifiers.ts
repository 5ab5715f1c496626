/** How REGEXMATCH reads a pattern: `i` any case, `m` lines, `s` dot matches line ends, `x` blanks do not count. */
export interface Modifiers {
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
  readonly extended: boolean
}
