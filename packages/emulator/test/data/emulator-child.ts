import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../../bin/keystamp-emulator.mjs', import.meta.url))

/** An emulator in another process that tests may kill. */
export interface EmulatorChild {
  readonly endpoint: string
  /** Standard error of the process until now. */
  readonly errors: () => string
  /** Kills the process with SIGKILL, and waits until it has ended. */
  readonly kill: () => Promise<void>
}

/** Starts the command of the emulator with a data folder; rejects with its error output if it does not start. */
export function startChild(folder: string, ...args: readonly string[]): Promise<EmulatorChild> {
  return prepareChild(folder, ...args)()
}

/**
 * Starts a process that loads the modules of the command and then waits, and returns the function that lets it run the
 * command. So the time for loading can pass while another emulator still has the folder.
 */
export function prepareChild(folder: string, ...args: readonly string[]): () => Promise<EmulatorChild> {
  const all = ['--import', WAIT, COMMAND, '--port', '0', '--no-auth', '--json', '--data', folder, ...args]
  const child = spawn(process.execPath, all, { stdio: 'pipe' })
  const ended = once(child, 'exit')
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  // standard error and the exit code tell more about a process that has ended
  child.stdin.on('error', () => undefined)
  return () => {
    child.stdin.end('run')
    return ready(child, ended, () => errors)
  }
}

// a process whose parent has ended ends, too
const WAIT = `data:text/javascript,${encodeURIComponent(`
  import { once } from 'node:events'
  await import(${JSON.stringify(new URL('../../dist/command.js', import.meta.url).href)})
  const text = await Promise.race([once(process.stdin, 'data').then(String), once(process.stdin, 'end')])
  if (text !== 'run') process.exit(1)
  process.stdin.destroy()
`)}`

async function ready(child: ChildProcess, ended: Promise<unknown>, errors: () => string): Promise<EmulatorChild> {
  const line = await firstLine(child, ended, errors)
  const { endpoint } = JSON.parse(line) as { endpoint: string }
  return {
    endpoint,
    errors,
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    }
  }
}

async function firstLine(child: ChildProcess, ended: Promise<unknown>, errors: () => string): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout!) {
    text += String(chunk)
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'))
  }
  await ended
  throw new Error(`The emulator ended with code ${child.exitCode}: ${errors().trim()}`)
}
