import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EmulatorOptions } from './settings.ts'

/** An emulator in its own process; its control functions are available over HTTP. */
export interface EmulatorProcess {
  readonly endpoint: string
  readonly key: string
  readonly certificate: string | undefined
  readonly controlToken: string | undefined
  /** Address of the explorer page for a browser. */
  readonly explorer: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** Options that can be passed to another process. */
export type ProcessOptions = Omit<EmulatorOptions, 'log' | 'warn' | 'now' | 'random'>

/** Starts an emulator in another process, so that it does not share a core with its clients. */
export async function startEmulatorProcess(options: ProcessOptions = {}): Promise<EmulatorProcess> {
  // from sources the entry is TypeScript and needs the loader
  const isSource = import.meta.url.endsWith('.ts')
  const entry = fileURLToPath(new URL(`./main.${isSource ? 'ts' : 'js'}`, import.meta.url))
  const loader = isSource ? ['--import', 'tsx'] : []
  const child = spawn(process.execPath, [...loader, entry, '--options', JSON.stringify(options), '--json'], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const line = await firstLine(child.stdout, ended)
  const ready = JSON.parse(line) as Pick<
    EmulatorProcess,
    'endpoint' | 'key' | 'certificate' | 'controlToken' | 'explorer'
  >
  return {
    ...ready,
    pid: child.pid!,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    }
  }
}

async function firstLine(stdout: NodeJS.ReadableStream, ended: Promise<void>): Promise<string> {
  let text = ''
  const read = (async () => {
    for await (const chunk of stdout) {
      text += String(chunk)
      if (text.includes('\n')) break
    }
  })()
  await Promise.race([read, ended])
  const end = text.indexOf('\n')
  if (end < 0) throw new Error('The emulator ended before it was ready; its own message says why.')
  return text.slice(0, end)
}
