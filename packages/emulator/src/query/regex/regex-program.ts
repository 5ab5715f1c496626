/** One step of a compiled pattern; the numbers name other steps. */
export type Step =
  | { readonly kind: 'character'; readonly test: (character: string) => boolean }
  | { readonly kind: 'split'; readonly first: number; readonly second: number }
  | { readonly kind: 'jump'; readonly to: number }
  | { readonly kind: 'assert'; readonly test: Assertion }
  | { readonly kind: 'match' }

/** A condition on the place between two characters; `undefined` is the border of the text. */
export type Assertion = (before: string | undefined, after: string | undefined) => boolean

/** What a pattern says, before it is laid out in steps. */
export type Pattern =
  | { readonly kind: 'character'; readonly test: (character: string) => boolean }
  | { readonly kind: 'assert'; readonly test: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'either'; readonly choices: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly of: Pattern; readonly least: number; readonly most: number }

/** Most parts of one pattern, counted repetitions unrolled. */
const MAX_PARTS = 2000

/** Lays a pattern out in steps; undefined when it takes too many. */
export function layOut(pattern: Pattern): Step[] | undefined {
  const layout = new Layout()
  layout.add(pattern)
  layout.steps.push({ kind: 'match' })
  return layout.parts > MAX_PARTS ? undefined : layout.steps
}

// steps that jump ahead are put down as `match` and replaced once their target is known
class Layout {
  readonly steps: Step[] = []
  // parts are counted too, since a repetition of nothing takes time without giving steps
  parts: number = 0

  add(pattern: Pattern): void {
    if (++this.parts > MAX_PARTS) return
    if (pattern.kind === 'sequence') for (const part of pattern.parts) this.add(part)
    else if (pattern.kind === 'either') this.#addEither(pattern.choices)
    else if (pattern.kind === 'repeat') this.#addRepeat(pattern)
    else this.steps.push(pattern)
  }

  #reserve(): number {
    return this.steps.push({ kind: 'match' }) - 1
  }

  #addEither(choices: readonly Pattern[]): void {
    const exits: number[] = []
    for (const [index, choice] of choices.entries()) {
      if (index === choices.length - 1) this.add(choice)
      else {
        const split = this.#reserve()
        this.add(choice)
        exits.push(this.#reserve())
        this.#branch(split)
      }
    }
    for (const exit of exits) this.steps[exit] = { kind: 'jump', to: this.steps.length }
  }

  #addRepeat({ of, least, most }: Pattern & { kind: 'repeat' }): void {
    for (let count = 0; count < least && this.parts <= MAX_PARTS; count++) this.add(of)
    if (most === Number.POSITIVE_INFINITY) this.#addLoop(of)
    else for (let count = least; count < most && this.parts <= MAX_PARTS; count++) this.#addOptional(of)
  }

  #addLoop(of: Pattern): void {
    const split = this.#reserve()
    this.add(of)
    this.steps.push({ kind: 'jump', to: split })
    this.#branch(split)
  }

  #addOptional(of: Pattern): void {
    const split = this.#reserve()
    this.add(of)
    this.#branch(split)
  }

  #branch(split: number): void {
    this.steps[split] = { kind: 'split', first: split + 1, second: this.steps.length }
  }
}
