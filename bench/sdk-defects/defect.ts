/** A defect of the official client that shows under heavy writes. */
export interface Defect {
  readonly title: string
  readonly show: () => Promise<Shown>
}

/** Result on this machine. */
export interface Shown {
  /** False if the installed client no longer has the defect. */
  readonly isSeen: boolean
  readonly sdk: string
  readonly ours: string
}
