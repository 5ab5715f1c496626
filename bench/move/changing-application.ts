import { createWriter } from '@keystamp/cosmos'
import { documentOf } from './moved-containers.ts'

/** An application that changes documents at a fixed rate, each once; as JSON in the first argument. */
export interface ChangeSettings {
  readonly endpoint: string
  readonly key: string
  readonly documents: number
  readonly perSecond: number
  readonly textBytes: number
}

/** Time at which the source answered the change of each document, by its id, in milliseconds since 1970. */
export type AnsweredMs = Readonly<Record<string, number>>

const { endpoint, key, documents, perSecond, textBytes } = JSON.parse(process.argv[2]) as ChangeSettings
const writer = await createWriter({ endpoint, key, database: 'bench', container: 'old', share: 10_000_000 })
const answeredMs: Record<string, number> = {}
const begun = performance.now()
for (let number = 0; number < documents;) {
  const due = Math.min(documents, ((performance.now() - begun) / 1000) * perSecond)
  for (; number < due; number++) change(number)
  await new Promise((resolve) => setTimeout(resolve, 5))
}
await writer.flush()
await writer.close()
process.stdout.write(JSON.stringify(answeredMs))

function change(number: number): void {
  const record = { ...documentOf(number, textBytes), changed: number }
  writer.submit({ kind: 'upsert', record }, (outcome) => {
    if (outcome instanceof Error) throw outcome
    answeredMs[record.id] = Date.now()
  })
}
