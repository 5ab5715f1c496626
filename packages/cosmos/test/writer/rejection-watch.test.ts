import { inspect } from 'node:util'
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { type Outcome, rejected } from '../../src/dispatch/outcome.ts'
import { createRejectionWatch } from '../../src/writer/rejection-watch.ts'

const WRITTEN: Outcome = { kind: 'written', status: 201, chargeRu: 5, etag: undefined, isSuperseded: false }

function open() {
  const warnings: string[] = []
  return { warnings, ...createRejectionWatch('shop/carts', (warning) => warnings.push(warning)) }
}

it('a rejection watch warns once about rejected outcomes that the program has not read', () => {
  const { watch, warn, warnings } = open()
  watch(rejected('ALREADY_EXISTS'))
  watch(rejected('DOCUMENT_TOO_LARGE'))
  watch(WRITTEN)

  warn()

  expect(warnings).toEqual([
    expect.stringMatching(/^2 records were rejected and not stored in shop\/carts, .* ALREADY_EXISTS\. .*`upsert`/)
  ])
})

it.each<[string, (outcome: Outcome) => unknown]>([
  ['the kind', ({ kind }) => kind],
  ['the code', (outcome) => outcome.kind === 'rejected' && outcome.code],
  ['every property', (outcome) => ({ ...outcome })],
  ['the JSON', (outcome) => JSON.stringify(outcome)],
  ['the console output', (outcome) => inspect(outcome)]
])('a rejection watch does not warn if the program has read %s of an outcome', (_, look) => {
  const { watch, warn, warnings } = open()
  look(watch(rejected('ALREADY_EXISTS')))

  warn()

  expect(warnings).toEqual([])
})

it('a rejection watch returns an outcome that looks like the original in comparisons, copies and console output', () => {
  const outcome = rejected('ALREADY_EXISTS', { status: 409 })
  const watched = open().watch(outcome)

  expect(watched).toEqual(outcome)
  expect(structuredClone(watched)).toEqual(outcome)
  expect(inspect(watched)).toBe(inspect(outcome))
})

it('a rejection watch returns an outcome unchanged if the outcome is not rejected', () => {
  expect(open().watch(WRITTEN)).toBe(WRITTEN)
})

it('a rejection watch treats all outcomes of an atomic batch as read if one of them is read', () => {
  const { watchAll, warn, warnings } = open()
  const outcomes = watchAll([rejected('BATCH_FAILED'), rejected('ALREADY_EXISTS')])
  expect(outcomes[0].kind).toBe('rejected')
  watchAll([rejected('BATCH_FAILED'), rejected('NOT_FOUND')])

  warn()

  expect(warnings).toEqual([expect.stringMatching(/^2 records .* ALREADY_EXISTS\. /)])
})

it.each([
  ['runs out of work', ''],
  ['calls process.exit', 'process.exit(0)']
])(
  'a rejection watch warns if the process %s and the writer was not closed, and does not keep the process alive',
  (_, end) => {
    const { stderr, status } = run(`${OPEN} writer.watch(rejected('ALREADY_EXISTS')); ${end}`)

    expect(status).toBe(0)
    expect(stderr.match(/KeystampWarning: 1 record was rejected and not stored in d\/c/g)).toHaveLength(1)
  }
)

it.each([
  ['all outcomes were read', `writer.watch(rejected('ALREADY_EXISTS')).kind`],
  ['the writer has warned when it was closed', `writer.watch(rejected('ALREADY_EXISTS')); writer.warn()`]
])('a rejection watch does not warn at the end of the process if %s', (_, code) => {
  const { stderr } = run(`${OPEN} ${code}`)

  expect(stderr.match(/KeystampWarning/g)?.length ?? 0).toBe(code.endsWith('warn()') ? 1 : 0)
})

it('rejection watches share one exit listener', () => {
  const { stdout } = run(
    `${OPEN} const before = process.listenerCount('exit'); for (let n = 0; n < 30; n++) createRejectionWatch('d/c' + n).watch(rejected('ALREADY_EXISTS')); console.log(process.listenerCount('exit') - before)`
  )

  expect(stdout).toBe('1\n')
})

const SOURCE = new URL('../../src/', import.meta.url).href
const OPEN = `const { createRejectionWatch } = await import('${SOURCE}writer/rejection-watch.ts');
const { rejected } = await import('${SOURCE}dispatch/outcome.ts');
const writer = createRejectionWatch('d/c');`

function run(code: string): { readonly stdout: string; readonly stderr: string; readonly status: number | null } {
  const args = ['--conditions=@keystamp/source', '--import', 'tsx', '--input-type=module', '--eval', code]
  return spawnSync(process.execPath, args, { encoding: 'utf8' })
}
