// The batch side: a file of drives, stamped on its way through a stream, into the container.
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createWriter } from '@keystamp/cosmos'
import { stampLines } from '@keystamp/stream'

/** Writes the lines of a file; answers with how many were stored. */
export async function loadHistory(file, plan, place) {
  // the records carry their keys already: the writer needs no plan
  const writer = await createWriter(place)
  await pipeline(createReadStream(file), stampLines(plan), writer.writable())
  await writer.close()
  return writer.stats().written
}
