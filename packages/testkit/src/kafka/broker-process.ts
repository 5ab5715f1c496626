import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A running Java process. */
export interface BrokerProcess {
  /** Why the process ended; pending while it runs. */
  readonly ended: Promise<string>
  /** Sends a signal that ends the process, and waits until it has. */
  readonly end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>
  /** Suspends the process: it answers nothing, and its connections stay open. */
  readonly freeze: () => void
  readonly thaw: () => void
  /** Allows this process to end before the broker: then the guard ends the broker. */
  readonly release: () => void
}

// Ends the broker and removes its folder when this end of the pipe is closed, even if this process is killed. The
// broker runs in a session of its own: a Ctrl-C at the terminal does not reach it, so that its clients can finish.
const GUARD = `
folder=$1; shift
exec 3<&0
java "$@" </dev/null >"$folder/java.log" 2>&1 3<&- &
java=$!
echo $java
(cat <&3 >/dev/null; : >"$folder/abandoned"; kill -9 $java) >/dev/null 2>&1 &
guard=$!
wait $java
code=$?
if [ -e "$folder/abandoned" ]; then rm -rf "$folder"; else kill $guard 2>/dev/null; fi
exit $code
`

/** Starts Java under a guard that ends it together with this process. */
export async function startBrokerProcess(folder: string, options: readonly string[]): Promise<BrokerProcess> {
  const guard = spawn('/bin/sh', ['-c', GUARD, 'keystamp-kafka', folder, ...options], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true
  })
  const ended = new Promise<string>((resolve) => {
    guard.once('exit', (code, signal) =>
      resolve(`The broker ended ${signal === null ? `with code ${code}` : `by ${signal}`}.`)
    )
    guard.once('error', (error) => resolve(`The broker could not be started: ${error.message}.`))
  })
  const pid = await Promise.race([readPid(guard), ended])
  if (typeof pid === 'string') throw new Error(pid)
  return {
    ended,
    end,
    freeze: () => sendSignal(pid, 'SIGSTOP'),
    thaw: () => sendSignal(pid, 'SIGCONT'),
    release
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    guard.ref()
    sendSignal(pid as number, signal)
    // a suspended process takes no other signal
    sendSignal(pid as number, 'SIGCONT')
    await ended
  }

  function release(): void {
    guard.unref()
    for (const pipe of [guard.stdin, guard.stdout]) (pipe as unknown as { unref: () => void }).unref()
  }
}

async function readPid({ stdout }: ChildProcess): Promise<number> {
  const lines = createInterface({ input: stdout as NodeJS.ReadableStream })
  const line = await new Promise<string>((resolve) => lines.once('line', resolve))
  lines.close()
  return Number(line)
}

function sendSignal(pid: number, signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // the process has ended already
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
