// Loaded before a program: its time of day is wrong by the milliseconds in a file, which a test changes.
import { readFileSync } from 'node:fs'

const READ_EVERY_MS = 50

const path = process.env['KEYSTAMP_TEST_CLOCK'] ?? ''
const trueNow = Date.now
let aheadMs = 0

function read() {
  try {
    aheadMs = Number(readFileSync(path, 'utf8'))
  } catch {
    // there is no file before the first jump
  }
}

read()
setInterval(read, READ_EVERY_MS).unref()

const now = () => trueNow() + aheadMs

globalThis.Date = new Proxy(Date, {
  construct: (target, args, created) => Reflect.construct(target, args.length === 0 ? [now()] : args, created),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name))
})
