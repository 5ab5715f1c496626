/**
 * Commands of the user at moments of a switch. `before`: the application must stop its writes, or send them to nowhere.
 * `after`: the application must use the other container from now on. `canceled`: the switch was called off after
 * `before`, and the application must write as before.
 */
export type HookName = 'before' | 'after' | 'canceled'

/** Facts that a hook gets. */
export interface HookFacts {
  /** The container that is in charge before the switch. */
  readonly from: string
  readonly to: string
  readonly direction: 'forward' | 'back'
}

export type HookResult = { readonly isDone: true } | { readonly isDone: false; readonly reason: string }

/**
 * Runs a hook to its end; done at once if there is none. Never rejects. `signal`, of `before` only: the switch is called
 * off, so the hook may be ended.
 */
export type RunHook = (hook: HookName, facts: HookFacts, signal?: AbortSignal) => Promise<HookResult>
