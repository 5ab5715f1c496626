/** A field of records that are generated, for a plan without a sample. */
export interface DescribedField {
  /** Name, or JSON pointer. */
  readonly name: string
  /** Distinct values. */
  readonly values: number
  /** Exponent of a Zipf distribution; 0: all values are equally frequent. */
  readonly zipf: number
  /** Share of the records that the first value has in addition; 0 for none. */
  readonly top: number
}

/** Reads `deviceId:50000`, `fleetId:200:zipf1.0` or `tenantId:100:top40%`. Throws a sentence that says what is wrong. */
export function parseDescribedField(text: string): DescribedField {
  void text
  throw new Error('not implemented')
}

/** Generates records as JSON, one for each call. Each has an `id` that no other has, if none is described. */
export function createDescribedRecords(fields: readonly DescribedField[], random: () => number): () => Uint8Array {
  void fields
  void random
  throw new Error('not implemented')
}
