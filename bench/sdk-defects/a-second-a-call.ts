import type { Defect } from './defect.ts'
import { byBulk, byWriter, withContainer, msText, recordsOf, timeOf } from './bench-container.ts'

const FLUSHES = 3
const RECORDS = 500
// a call of the client takes at least a second; without that, nothing here takes a tenth of a second
const FLOOR_MS = 900

/** A call waits for a timer of one second, even if there is nothing to wait for. */
export const aSecondACall: Defect = {
  title: `Every call takes at least a second (one record; ${FLUSHES} flushes of ${RECORDS}, one after another)`,
  show: () =>
    withContainer({}, async ({ container, writer }) => {
      const records = recordsOf(RECORDS)
      const [one] = records
      // opens the connections and reads the ranges before anything is measured
      await byBulk(container, [one])
      await byWriter(writer, [one])
      const sdkOne = await timeOf(() => byBulk(container, [one]))
      const oursOne = await timeOf(() => byWriter(writer, [one]))
      let sdkMs = 0
      let oursMs = 0
      for (let flush = 0; flush < FLUSHES; flush++) {
        sdkMs += await timeOf(() => byBulk(container, records))
        oursMs += await timeOf(() => byWriter(writer, records))
      }
      return { isSeen: sdkOne > FLOOR_MS, sdk: sentenceOf(sdkOne, sdkMs), ours: sentenceOf(oursOne, oursMs) }
    })
}

function sentenceOf(oneMs: number, flushesMs: number): string {
  const rate = Math.round((FLUSHES * RECORDS * 1000) / flushesMs)
  return `${msText(oneMs)}; ${rate.toLocaleString('en')} records/s`
}
