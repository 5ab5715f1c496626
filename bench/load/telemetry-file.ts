import { open } from 'node:fs/promises'
import { createTelemetry } from '@keystamp/testkit'

/** Writes `records` lines of 1 KB, the same ones in each run. */
export async function writeTelemetry(path: string, records: number): Promise<void> {
  const { big } = createTelemetry(42)
  const file = await open(path, 'w')
  for (let written = 0; written < records; written += 1000) {
    const lines = Array.from({ length: 1000 }, () => `${JSON.stringify({ ...big(), partitionKey: undefined })}\n`)
    await file.appendFile(lines.join(''))
  }
  await file.close()
}
