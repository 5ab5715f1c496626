import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { screenOf, wrapLines } from './picture/screen.ts'
import { terminalSvg } from './picture/terminal-svg.ts'

// Draws the last frame that `npm run demo` shows on a terminal, as the picture of the README. Needs `script` of
// util-linux, which gives the demo a terminal.
//   npm run draw-demo                      runs the demo, which takes half a minute
//   npm run draw-demo -- --from recording  draws the recorded output of a terminal
const COLUMNS = 112
const PICTURE = 'docs/pictures/demo.svg'
const words = process.argv.slice(2)
const output = words[0] === '--from' ? readFileSync(words[1], 'utf8') : runDemo()

const screen = screenOf(output).filter((line) => !/^Script (?:started|done)/.test(line))
const end = screen.findIndex((line) => /^\d+ s\. /.test(line))
if (end < 0) throw new Error('The output has no frame of the demo.')
const lines = screen.slice(0, end)
while (lines[0] === '') lines.shift()
while (lines.at(-1) === '') lines.pop()
if (screen.slice(end).some((line) => line.includes('too busy'))) {
  console.warn(
    'The machine was too busy: the picture shows less throughput than the keys allow. Draw it again on an idle machine.'
  )
}
mkdirSync(dirname(PICTURE), { recursive: true })
writeFileSync(
  PICTURE,
  terminalSvg({
    lines: wrapLines(lines, COLUMNS),
    title: 'Output of npm run demo',
    description: lines.filter((line) => line !== '' && !/[▁▂▃▄▅▆▇█]/.test(line)).join(' ')
  })
)
console.log(`Written: ${PICTURE}.`)

function runDemo(): string {
  const { status, stdout, error } = spawnSync(
    'script',
    ['-qec', 'node packages/cli/bin/keystamp.mjs demo', '/dev/null'],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 * 1024 * 1024
    }
  )
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`The demo ended with ${status}:\n${stdout}`)
  return stdout
}
