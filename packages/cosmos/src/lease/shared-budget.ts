/** A budget that several processes spend together. In a file of its own, whose type needs nothing that may not be installed. */
export interface SharedBudget {
  /** Where Redis is, such as redis://localhost:6379. Needs the package `ioredis`, version 5. */
  readonly redis: string
  /** All who name the same budget share it. */
  readonly name: string
}
