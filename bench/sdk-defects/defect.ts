/** Something that the official client does to those who write much. */
export interface Defect {
  readonly title: string
  readonly show: () => Promise<Shown>
}

/** Result on this machine. */
export interface Shown {
  /** False when the client that is installed does it no more. */
  readonly isSeen: boolean
  readonly sdk: string
  readonly ours: string
}
