import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'

/**
 * Formats the data folder that `server.properties` in this folder names, with this cluster id. Takes longer than
 * starting a broker.
 */
export async function formatData(
  folder: string,
  jars: readonly string[],
  cluster: string,
  options: readonly string[] = []
): Promise<void> {
  const tool = [
    '-cp',
    jars.join(':'),
    'kafka.tools.StorageTool',
    'format',
    '-t',
    cluster,
    '-c',
    join(folder, 'server.properties')
  ]
  const { code, output } = await runProgram('java', [...tool, ...options])
  if (code !== 0) throw new Error(`Kafka could not format a data folder: ${output}`)
}

/** Creates a cluster id: 16 bytes in URL-safe base64. Kafka refuses ids that begin with a dash. */
export function uuid(): string {
  return `K${randomBytes(16).toString('base64url').slice(1)}`
}
