import type { Readable } from 'node:stream'
import type { ReadStream } from 'node:tty'

/** Aborts when the key is pressed on a terminal, or when `signal` does. Ctrl-C counts as the key, since a raw terminal sends no signal. */
export function watchForKey(
  stdin: Readable,
  key: string,
  signal: AbortSignal
): { readonly pressed: AbortSignal; readonly stop: () => void } {
  const press = new AbortController()
  const terminal = 'setRawMode' in stdin && (stdin as ReadStream).isTTY ? (stdin as ReadStream) : undefined
  const listen = (bytes: Buffer): void => {
    if (bytes.includes(key) || bytes.includes(CTRL_C)) press.abort()
  }
  terminal?.setRawMode(true)
  terminal?.on('data', listen)
  return {
    pressed: AbortSignal.any([press.signal, signal]),
    stop: () => {
      terminal?.off('data', listen)
      terminal?.setRawMode(false)
      terminal?.pause()
    }
  }
}

const CTRL_C = '\u0003'
