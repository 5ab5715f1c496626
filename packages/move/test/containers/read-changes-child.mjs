// Reads the changes of a container again and again, and prints a line for each page.
import { openMoveContainer } from '@keystamp/move'

const [, , endpoint] = process.argv
const container = await openMoveContainer({
  endpoint,
  key: 'AAAA',
  database: 'd',
  container: 'c',
  requestTimeoutMs: 500,
  retryForMs: 1500
})
const [range] = await container.feedRanges()
for (;;) {
  await container.readChanges({ range, mode: 'latest', from: 'beginning' })
  process.stdout.write('page\n')
}
