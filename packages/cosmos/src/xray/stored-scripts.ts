import { CosmosError } from '../client/cosmos-error.ts'
import { stringIn } from '../client/http-client.ts'
import type { XrayRequestKind, XrayRequests } from './xray-requests.ts'

/** Names of the JavaScript that is stored in a container. */
export interface StoredScripts {
  readonly storedProcedures: readonly string[]
  readonly triggers: readonly string[]
  readonly functions: readonly string[]
}

const METADATA_RU = 2

/** Reads the names, or why they are unknown. */
export async function readStoredScripts(
  requests: XrayRequests,
  name: string
): Promise<StoredScripts | { readonly unknown: string }> {
  try {
    return {
      storedProcedures: await readNames(requests, 'storedProcedures', `the stored procedures of ${name}`),
      triggers: await readNames(requests, 'triggers', `the triggers of ${name}`),
      functions: await readNames(requests, 'functions', `the user-defined functions of ${name}`)
    }
  } catch (error) {
    if (!(error instanceof CosmosError) || error.retriable) throw error
    if (error.statusCode === NOT_IMPLEMENTED) return { unknown: OF_EMULATOR }
    // a role that may read data only
    return { unknown: `Refused: ${error.message}` }
  }
}

const NOT_IMPLEMENTED = 501
const OF_EMULATOR =
  'This endpoint is an emulator without JavaScript (it answers 501). A dry run against the account in Azure lists them.'

/** Name of the list in an answer. */
const LISTS = {
  storedProcedures: 'StoredProcedures',
  triggers: 'Triggers',
  functions: 'UserDefinedFunctions'
} as const satisfies Partial<Record<XrayRequestKind, string>>

async function readNames(requests: XrayRequests, kind: keyof typeof LISTS, what: string): Promise<readonly string[]> {
  const names: string[] = []
  let continuation: string | undefined
  do {
    const headers = {
      'x-ms-max-item-count': '-1',
      ...(continuation === undefined ? {} : { 'x-ms-continuation': continuation })
    }
    const { json, headers: answered } = await requests.send({
      what: `reading ${what}`,
      kind,
      headers,
      expectedRu: METADATA_RU
    })
    const listed = (json as Readonly<Record<string, readonly { readonly id: string }[] | undefined>>)[LISTS[kind]]
    names.push(...(listed ?? []).map(({ id }) => id))
    continuation = stringIn(answered['x-ms-continuation'])
  } while (continuation !== undefined)
  return names.toSorted()
}
