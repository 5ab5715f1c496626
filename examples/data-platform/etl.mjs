// Loads a file of drives into the container; a stream writes the keys into the records.
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createWriter } from '@keystamp/cosmos'
import { stampLines } from '@keystamp/stream'

/** Writes the lines of a file, and returns the number of stored documents. */
export async function loadHistory(file, plan, target) {
  // the stream has written the keys into the records, so the writer needs no plan
  const writer = await createWriter(target)
  await pipeline(createReadStream(file), stampLines(plan), writer.writable())
  await writer.close()
  return writer.stats().written
}
