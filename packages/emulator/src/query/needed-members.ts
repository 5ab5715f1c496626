/** The names of the properties that a query reads of each document; undefined when it reads whole documents. */
export type NeededMembers = readonly string[] | undefined

/** The properties of documents that expressions read. The compiler adds each name that it compiles. */
export class DocumentUse {
  readonly #names: Set<string> = new Set()
  #isWhole = false

  /** Adds a property. */
  add(name: string): void {
    this.#names.add(name)
  }

  /** Adds all properties. */
  addWhole(): void {
    this.#isWhole = true
  }

  /** All properties that were added. */
  get needs(): NeededMembers {
    const names = [...this.#names]
    // a document without such a property would seem to have the property that it inherits from Object
    return this.#isWhole || names.some((name) => name in Object.prototype) ? undefined : names
  }
}

/** The names of both; undefined when one of them needs whole documents. */
export function joinNeeds(one: NeededMembers, other: NeededMembers): NeededMembers {
  return one === undefined || other === undefined ? undefined : [...new Set([...one, ...other])]
}
