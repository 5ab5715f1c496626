import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { HookName, HookResult, RunHook } from '@keystamp/move'

export interface HookCommands {
  readonly before?: string | undefined
  readonly after?: string | undefined
  readonly canceled?: string | undefined
}

/** Characters of a hook's last output that a message has. */
const MAX_OUTPUT = 200

/**
 * Runs the hooks of a move as commands of the shell, with facts in their environment. A hook that takes too long, or that
 * may not go on, gets SIGTERM with all its processes, and SIGKILL five seconds later. A process that a hook leaves in
 * the background goes on.
 */
export function createHooks(
  commands: HookCommands,
  {
    journal,
    timeoutMs,
    env
  }: {
    readonly journal: string
    readonly timeoutMs: number
    readonly env: Readonly<Record<string, string | undefined>>
  }
): RunHook {
  return async (hook, { from, to, direction }, signal) => {
    const command = commands[hook]
    if (command === undefined) return { isDone: true }
    const facts = {
      KEYSTAMP_HOOK: hook satisfies HookName,
      KEYSTAMP_FROM: from,
      KEYSTAMP_TO: to,
      KEYSTAMP_DIRECTION: direction,
      KEYSTAMP_JOURNAL: journal
    }
    return run(command, { env: { ...env, ...facts }, timeoutMs, signal })
  }
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

function run(command: string, { env, timeoutMs, signal }: RunOptions): Promise<HookResult> {
  return new Promise((resolve) => {
    // a group of its own: the shell does not pass signals on, and Ctrl-C must not reach a hook that has to end its work
    const child = spawn(command, { shell: true, detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let stopped: string | undefined
    let kill: NodeJS.Timeout | undefined
    const stop = (reason: string): void => {
      if (stopped !== undefined) return
      stopped = reason
      signalGroup(child, 'SIGTERM')
      kill = setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_MS)
    }
    const late = setTimeout(() => stop(`it took longer than ${timeoutMs / 1000} s.`), timeoutMs)
    const interrupt = (): void => stop('it was interrupted.')
    signal?.addEventListener('abort', interrupt, { once: true })
    if (signal?.aborted === true) interrupt()
    const collect = (chunk: Buffer): void => {
      output = `${output}${chunk.toString()}`.slice(-MAX_OUTPUT)
    }
    for (const stream of [child.stdout, child.stderr]) stream.on('data', collect)
    const end = (reason: string | undefined): void => {
      clearTimeout(late)
      clearTimeout(kill)
      signal?.removeEventListener('abort', interrupt)
      const said = output.trim() === '' ? '' : ` It printed: "${output.trim().replaceAll(/\s+/g, ' ')}".`
      resolve(reason === undefined ? { isDone: true } : { isDone: false, reason: `${reason}${said}` })
    }
    child.once('error', (error) => end(`it could not be started (${error.message}).`))
    child.once('exit', (code, by) => {
      const reason = code === 0 ? undefined : `it ended with ${code === null ? by : `exit code ${code}`}.`
      const close = (): void => end(stopped ?? reason)
      child.once('close', close)
      // a process in the background may keep the output open for as long as it runs
      setTimeout(close, OUTPUT_MS).unref()
      for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref()
    })
  })
}

/** Time after SIGTERM. */
const KILL_MS = 5000
/** Time for the rest of the output after the end of a hook. */
const OUTPUT_MS = 500

function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name)
  } catch {
    // Windows has no groups; elsewhere the group has ended
    child.kill(name)
  }
}
