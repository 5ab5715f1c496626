import { type AccountOptions, checkAccountOptions } from './account-options.ts'
import { CosmosError } from './cosmos-error.ts'
import { createMetadataClient } from './metadata-client.ts'
import { createSigner } from './signer.ts'

/**
 * Small documents with which processes agree on something, such as the switch of a sink: read and replaced by id, in a
 * container of their own. They are for control, not for data: each call is one request of the SDK.
 */
export interface ControlDocuments {
  /** `database/container at host`, for messages. */
  readonly name: string
  /** Creates the container, with the partition key `/id`, unless it exists. */
  readonly createContainer: () => Promise<void>
  /**
   * Reads the document; undefined if there is no such document, container or database. Another process may have
   * replaced it a moment before: a replica that is behind still returns the former document.
   */
  readonly read: (id: string) => Promise<ControlDocument | undefined>
  /**
   * Stores the document. Without `etag`, it must not exist; with `etag`, it must not have changed since then. Returns
   * false if this is not so.
   */
  readonly put: (content: ControlContent, etag: string | undefined) => Promise<boolean>
  readonly close: () => void
}

export interface ControlContent {
  readonly id: string
}

export interface ControlDocument {
  readonly content: ControlContent & Readonly<Record<string, unknown>>
  readonly etag: string
}

/** Opens the documents of a container. Sends nothing before the first call. Throws OPTION_INVALID. */
export function openControlDocuments(given: AccountOptions): ControlDocuments {
  const options = checkAccountOptions(given)
  const { database, container } = options
  const name = `${database}/${container} at ${new URL(options.endpoint).host}`
  const client = createMetadataClient({ ...options, metadataBy: 'sdk' }, createSigner(options, Date.now))

  async function read(id: string): Promise<ControlDocument | undefined> {
    const found = await client.read(`reading ${id} from ${name}`, {
      direct: unused,
      bySdk: async (sdk) => {
        const { resource, etag } = await sdk.database(database).container(container).item(id, id).read()
        return resource === undefined ? undefined : { content: resource as ControlDocument['content'], etag }
      }
    })
    return found
  }

  async function put(content: ControlContent, etag: string | undefined): Promise<boolean> {
    try {
      await client.read(`storing ${content.id} in ${name}`, {
        direct: unused,
        bySdk: async (sdk) => {
          const found = sdk.database(database).container(container)
          if (etag === undefined) return void (await found.items.create(content))
          const accessCondition = { type: 'IfMatch', condition: etag }
          await found.item(content.id, content.id).replace(content, { accessCondition })
        }
      })
      return true
    } catch (error) {
      if (error instanceof CosmosError && CHANGED.has(error.statusCode ?? 0)) return false
      throw error
    }
  }

  return {
    name,
    createContainer: () =>
      client.read(`creating ${name}`, {
        direct: unused,
        bySdk: async (sdk) => {
          const definition = { id: container, partitionKey: { paths: ['/id'] } }
          await sdk.database(database).containers.createIfNotExists(definition)
        }
      }),
    read,
    put,
    close: client.close
  }
}

/** Answers to a condition that does not hold: the document exists (409), or has another ETag (412). */
const CHANGED: ReadonlySet<number> = new Set([409, 412])

function unused(): Promise<never> {
  return Promise.reject(new TypeError('Documents are read with the SDK only.'))
}
