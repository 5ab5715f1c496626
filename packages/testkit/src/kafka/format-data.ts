import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { runProgram } from './run-program.ts'

/** Formats the data folder that `server.properties` in this folder names, for the cluster of this id. It takes longer than starting a broker. */
export async function formatData(folder: string, jars: readonly string[], cluster: string, options: readonly string[] = []): Promise<void> {
  const tool = ['-cp', jars.join(':'), 'kafka.tools.StorageTool', 'format', '-t', cluster, '-c', join(folder, 'server.properties')]
  const { code, output } = await runProgram('java', [...tool, ...options])
  if (code !== 0) throw new Error(`Kafka could not format a data folder: ${output}`)
}

/** 16 bytes in the letters of base64 for addresses, as Kafka writes them; it refuses those that begin with a dash. */
export function uuid(): string {
  return `K${randomBytes(16).toString('base64url').slice(1)}`
}
