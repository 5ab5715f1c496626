import { type EmulatorProcess, startEmulatorProcess } from '@keystamp/emulator'

/**
 * Starts an emulator without throttling and latency, in a process of its own, with the container `d/c` keyed by
 * `/partitionKey`.
 */
export async function startLoadTarget(): Promise<EmulatorProcess> {
  const emulator = await startEmulatorProcess({ ranges: 4, ruPerSecond: 1_000_000, auth: 'off', operationLog: 0 })
  await create(`${emulator.endpoint}dbs`, { id: 'd' })
  await create(`${emulator.endpoint}dbs/d/colls`, {
    id: 'c',
    partitionKey: { paths: ['/partitionKey'], kind: 'Hash', version: 2 }
  })
  return emulator
}

async function create(url: string, body: object): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status}.`)
}
