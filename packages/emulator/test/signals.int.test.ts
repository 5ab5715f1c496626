import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const COMMAND = fileURLToPath(new URL('../bin/keystamp-emulator.mjs', import.meta.url))
/** Sends a signal to the process while it prints that it is ready. */
const SIGNAL_WHEN_READY = `
  const { write } = process.stdout
  process.stdout.write = function (text, ...rest) {
    if (String(text).includes('ready')) process.kill(process.pid, 'SIGTERM')
    return write.call(this, text, ...rest)
  }
`

it('the command of the emulator shuts down cleanly after a signal that arrives while it prints that the emulator is ready', async () => {
  const preload = `data:text/javascript,${encodeURIComponent(SIGNAL_WHEN_READY)}`
  const child = spawn(process.execPath, ['--import', preload, COMMAND, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit']
  })

  expect(await once(child, 'exit')).toEqual([0, null])
})
