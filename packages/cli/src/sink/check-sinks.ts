import {
  type CheckReport,
  checkService,
  ConfigError,
  type Finding,
  type Sample,
  type ServiceSettings
} from '@keystamp/connector'
import { type Dependencies, untilAborted } from '../dependencies.ts'
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts'
import { readSettings } from './read-settings.ts'

export interface CheckCommand {
  readonly json: boolean
  readonly showValues: boolean
}

/** Reads a configuration and checks everything that it names. */
export async function checkSinks(
  config: string,
  { json, showValues }: CheckCommand,
  dependencies: Dependencies
): Promise<ExitCode> {
  const { stdout, stderr, signal } = dependencies
  try {
    // connections that the check opened end with the process
    const checked = await Promise.race([check(), untilAborted(signal)])
    if (checked === undefined) return interrupted(stderr)
    const { settings, report } = checked
    if (json) {
      stdout.write(escapeControls(`${JSON.stringify({ ...report, warnings: settings.warnings })}\n`))
    } else {
      for (const warning of settings.warnings) stderr.write(`keystamp: warning: ${warning}\n`)
      stdout.write(describeReport(report))
    }
    return report.ok ? EXIT_CODES.ok : EXIT_CODES.failed
  } catch (error) {
    if (!json || !(error instanceof ConfigError)) throw error
    stdout.write(`${JSON.stringify({ ok: false, mistakes: error.mistakes })}\n`)
    return EXIT_CODES.usage
  }

  async function check(): Promise<{ readonly settings: ServiceSettings; readonly report: CheckReport }> {
    const settings = await readSettings(config, dependencies)
    return { settings, report: await checkService(settings, { showValues }) }
  }
}

function interrupted(stderr: NodeJS.WritableStream): ExitCode {
  stderr.write('keystamp: interrupted before everything was checked.\n')
  return EXIT_CODES.interrupted
}

/** The report of a check, one line for each finding. */
export function describeReport({ ok, sinks }: CheckReport): string {
  const lines = sinks.flatMap(({ name, findings, samples }) => [
    name,
    ...findings.map(findingLine),
    ...samples.flatMap(sampleLines),
    ''
  ])
  return escapeControls(
    [...lines, ok ? 'All checks passed: the sinks can be started.' : 'Some checks failed: see FAILED.', ''].join('\n')
  )
}

const STATES: Readonly<Record<Finding['state'], string>> = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' }

function findingLine({ state, message }: Finding): string {
  return `  ${STATES[state]}  ${message}`
}

function sampleLines({ topic, partition, offset, isNext, becomes, document, value }: Sample): readonly string[] {
  const line = `  record   ${topic}, partition ${partition}, offset ${offset} (${isNext ? 'next' : 'already read'}): ${outcomeText(becomes)}`
  const shown = document ?? value
  return shown === undefined ? [line] : [line, `           ${shown.replaceAll('\n', String.raw`\n`)}`]
}

/**
 * Escapes control characters of records. On a terminal they could change its title and contents, and even type into it.
 */
function escapeControls(text: string): string {
  return text.replaceAll(CONTROLS, (control) => String.raw`\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

// C0 except for the line feed, DEL, C1, separators of lines and paragraphs, and characters that change the direction of
// text
// oxlint-disable-next-line no-control-regex -- the pattern looks for control characters
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

function outcomeText(becomes: Sample['becomes']): string {
  switch (becomes.kind) {
    case 'stored': {
      const { operation, container, key, id } = becomes
      return `${operation} in ${container}, key ${JSON.stringify(key.length === 1 ? key[0] : key)}, id ${JSON.stringify(id ?? null)}`
    }
    case 'ignored':
      return 'ignored'
    case 'rejected':
      return `rejected, ${becomes.code}: ${becomes.message}`
  }
}
