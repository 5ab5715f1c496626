import { runProgram } from './run-program.ts'

/** Java runtime for the broker. */
export interface Java {
  /** Version such as `17.0.15`. */
  readonly version: string
}

const OLDEST = 17

/** Remedy where a requirement of the broker is missing. */
export const REMEDY: string = `install Java ${OLDEST} or later and Maven, or set KEYSTAMP_KAFKA=host:port to any Kafka.`

/** Looks for Java. Returns what is missing otherwise. */
export async function findJava(): Promise<Java | { readonly missing: string }> {
  if (process.platform === 'win32')
    return { missing: 'The broker is started by a shell, which Windows lacks: set KEYSTAMP_KAFKA=host:port.' }
  const { code, output } = await runProgram('java', ['-version'])
  if (code !== 0) return { missing: `There is no Java on this machine: ${REMEDY}` }
  const version = /version "([\d.]+)/.exec(output)?.[1] ?? '0'
  if (Number.parseInt(version, 10) < OLDEST) return { missing: `Java ${version} is too old for the broker: ${REMEDY}` }
  return { version }
}
