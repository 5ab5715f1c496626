import type { Defect } from './defect.ts'
import { byBulk, byWriter, inPlace, msText, recordsOf, timeOf } from './place.ts'

const FLUSHES = 3
const RECORDS = 500
// the floor is a second, and nothing here takes a tenth of it
const FLOOR_MS = 900

/** A flush waits for a timer that does not look whether there is anything to wait for. */
export const aSecondACall: Defect = {
  title: `A call lasts a second, however little there is to do (one record; ${FLUSHES} flushes of ${RECORDS}, one after another)`,
  show: () =>
    inPlace({}, async ({ container, writer }) => {
      const records = recordsOf(RECORDS)
      const [one] = records
      // connections and ranges are known before anything is measured
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
