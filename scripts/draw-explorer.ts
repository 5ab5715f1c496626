import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { startBrowser } from '@keystamp/testkit'

// Draws the picture of the explorer in docs/emulator.md: two minutes of an uneven load on a clock of its own. A key
// becomes hot, and its physical partition is split, which does not help. Needs chromium.
//   npm run draw-explorer
const PICTURE = 'docs/pictures/explorer.png'
const SECONDS = 120
const SPLIT_AT = 78
const RANGES = 8
const HOT_KEY = 'device-7'

let nowMs = Date.UTC(2026, 0, 15, 12, 0, 0)
const started = await startBrowser()
if ('missing' in started) throw new Error(started.missing)
const emulator = await startEmulator({
  auth: 'off',
  throttle: true,
  ranges: RANGES,
  ruPerSecond: 400 * RANGES,
  containers: ['fleet/drives:/deviceId', 'fleet/days:/tenant,/day', 'shop/orders:/customer'],
  now: () => nowMs
})

await writeSeconds(0, SPLIT_AT)
const page = await started.browser.newPage({ colorScheme: 'light', viewport: { width: 1180, height: 760 } })
await page.goto(`${emulator.explorer}#load/fleet/drives`)
await page.locator('canvas').waitFor()
await emulator.split('fleet', 'drives', rangeOfHotKey(emulator))
await writeSeconds(SPLIT_AT, SECONDS)
// the page asks once a second
await page.waitForTimeout(2500)
mkdirSync(dirname(PICTURE), { recursive: true })
await page.screenshot({ path: PICTURE })
await started.stop()
await emulator.stop()
console.log(`Written: ${PICTURE}.`)

async function writeSeconds(from: number, to: number): Promise<void> {
  for (let second = from; second < to; second++) {
    nowMs += 1000
    const hot = second < 25 ? 8 : second < 45 ? 40 : 90
    // a fixed sequence, so that the picture is the same each time
    const keys = Array.from(
      { length: 90 },
      (_, at) => `device-${(at * 37 + second * 11 + (at % 7) * (second % 5)) % 61}`
    )
    await Promise.all([...keys, ...Array.from({ length: hot }, () => HOT_KEY)].map((key, at) => upsert(key, at)))
  }
  nowMs += 200
}

async function upsert(deviceId: string, at: number): Promise<void> {
  const document = { id: `${deviceId}-${at}`, deviceId, speed: at }
  const headers = {
    'x-ms-documentdb-partitionkey': JSON.stringify([deviceId]),
    'x-ms-documentdb-is-upsert': 'True'
  }
  await fetch(`${emulator.endpoint}dbs/fleet/colls/drives/docs`, {
    method: 'POST',
    headers,
    body: JSON.stringify(document)
  })
}

function rangeOfHotKey({ report }: Emulator): string {
  const [{ ranges }] = report().containers
  return ranges.reduce((hottest, range) => (range.usedRu > hottest.usedRu ? range : hottest)).id
}
