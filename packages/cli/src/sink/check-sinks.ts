import { type CheckReport, checkService, ConfigError, type ServiceSettings } from '@keystamp/connector'
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts'
import type { Dependencies } from '../dependencies.ts'
import { describeReport, escapeControls } from './describe-report.ts'
import { untilAborted } from '../until-aborted.ts'
import { readSettings } from './read-settings.ts'

export interface CheckCommand {
  readonly json: boolean
  readonly showValues: boolean
}

/** Reads a configuration and looks at everything that it names. */
export async function checkSinks(config: string, { json, showValues }: CheckCommand, dependencies: Dependencies): Promise<ExitCode> {
  const { stdout, stderr, signal } = dependencies
  try {
    // what was opened for it is closed when the process ends
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
  stderr.write('keystamp: interrupted before everything was looked at.\n')
  return EXIT_CODES.interrupted
}
