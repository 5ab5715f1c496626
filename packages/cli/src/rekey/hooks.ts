import { spawn } from 'node:child_process'
import type { HookName, RunHook } from '@keystamp/move'

export interface HookCommands {
  readonly before?: string | undefined
  readonly after?: string | undefined
  readonly canceled?: string | undefined
}

/** Characters of a hook's last output that a message has. */
const MAX_OUTPUT = 200

/**
 * Runs the hooks of a move as commands of the shell, with facts in their environment. A hook that takes too long gets
 * SIGTERM, and SIGKILL five seconds later.
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
  return async (hook, { from, to, direction }) => {
    const command = commands[hook]
    if (command === undefined) return { isDone: true }
    const facts = {
      KEYSTAMP_HOOK: hook satisfies HookName,
      KEYSTAMP_FROM: from,
      KEYSTAMP_TO: to,
      KEYSTAMP_DIRECTION: direction,
      KEYSTAMP_JOURNAL: journal
    }
    return run(command, { ...env, ...facts }, timeoutMs)
  }
}

function run(
  command: string,
  env: NodeJS.ProcessEnv,
  timeoutMs: number
): Promise<{ readonly isDone: true } | { readonly isDone: false; readonly reason: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let isLate = false
    let kill: NodeJS.Timeout | undefined
    const late = setTimeout(() => {
      isLate = true
      child.kill('SIGTERM')
      kill = setTimeout(() => child.kill('SIGKILL'), 5000)
    }, timeoutMs)
    const collect = (chunk: Buffer): void => {
      output = `${output}${chunk.toString()}`.slice(-MAX_OUTPUT)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    const end = (reason: string | undefined): void => {
      clearTimeout(late)
      clearTimeout(kill)
      const said = output.trim() === '' ? '' : ` It printed: ${output.trim().replaceAll(/\s+/g, ' ')}`
      resolve(reason === undefined ? { isDone: true } : { isDone: false, reason: `${reason}${said}` })
    }
    child.once('error', (error) => end(`it could not be started (${error.message}).`))
    child.once('close', (code, signal) => {
      if (isLate) end(`it took longer than ${timeoutMs / 1000} s.`)
      else if (code === 0) end(undefined)
      else end(`it ended with ${code === null ? signal : `exit code ${code}`}.`)
    })
  })
}
