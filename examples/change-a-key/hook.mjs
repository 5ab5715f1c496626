// Hook of the move, for all three moments: changes the settings of the application, and waits until the application
// has confirmed them. It may run twice, and does the same then.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

const [folder] = process.argv.slice(2)
const { KEYSTAMP_HOOK: hook, KEYSTAMP_DIRECTION: direction } = process.env
const [inCharge, other] = direction === 'forward' ? ['drives', 'drives-2'] : ['drives-2', 'drives']
const settings = {
  before: { container: inCharge, mayWrite: false },
  after: { container: other, mayWrite: true },
  canceled: { container: inCharge, mayWrite: true }
}[hook]

// under another name first, so that the application never reads half of the file
writeFileSync(`${folder}/settings.json.new`, JSON.stringify(settings))
renameSync(`${folder}/settings.json.new`, `${folder}/settings.json`)

const deadline = Date.now() + 30_000
while (!isConfirmed()) {
  if (Date.now() > deadline) {
    console.error('The application has not confirmed its settings within 30 s.')
    process.exit(1)
  }
  await new Promise((resolve) => setTimeout(resolve, 20))
}

function isConfirmed() {
  const { container, mayWrite } = JSON.parse(readFileSync(`${folder}/application.json`, 'utf8'))
  return container === settings.container && mayWrite === settings.mayWrite
}
