import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const COMMAND = fileURLToPath(new URL('../bin/keystamp-emulator.mjs', import.meta.url))
/** Sends the process a signal while it writes that it is ready. */
const SIGNAL_WHEN_READY = `
  const { write } = process.stdout
  process.stdout.write = function (text, ...rest) {
    if (String(text).includes('ready')) process.kill(process.pid, 'SIGTERM')
    return write.call(this, text, ...rest)
  }
`

it('ends in order at a signal that comes with the line that says it is ready', async () => {
  const preload = `data:text/javascript,${encodeURIComponent(SIGNAL_WHEN_READY)}`
  const child = spawn(process.execPath, ['--import', preload, COMMAND, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit']
  })

  expect(await once(child, 'exit')).toEqual([0, null])
})
