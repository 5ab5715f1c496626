/** What a transport needs to reach one container. */
export interface TransportOptions {
  /** Address of the region that takes writes. */
  readonly endpoint: () => Promise<string>
  readonly database: string
  readonly container: string
  readonly sign: (
    verb: string,
    resourceType: string,
    resourceLink: string
  ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** How long an answer may take before it counts as lost. */
  readonly timeoutMs: number
}
