import { parseContainerDefinition, parseResourceName } from '../store/container-definition.ts'
import { addContainer } from './container-handlers.ts'
import type { Service } from './service.ts'

/** Makes the containers that an emulator begins with, such as `fleet/drives:/partitionKey`, and their databases. */
export function createFirstContainers(service: Service, containers: readonly string[]): void {
  for (const text of containers) createFirstContainer(service, text)
}

const FORM = /^([^/]+)\/([^/:]+):(\/.+)$/

function createFirstContainer(service: Service, text: string): void {
  const [, databaseId, id, key] = FORM.exec(text) ?? []
  if (key === undefined) {
    throw new Error(`A container is written as database/container:/key, such as fleet/drives:/partitionKey, not "${text}".`)
  }
  const paths = key.split(',')
  const partitionKey = { paths, kind: paths.length > 1 ? 'MultiHash' : 'Hash', version: 2 }
  const definition = parseContainerDefinition({ id, partitionKey })
  const { account } = service
  const database =
    account.databases.get(databaseId) ?? account.createDatabase(parseResourceName(databaseId), undefined, Math.floor(service.now() / 1000))
  addContainer(service, database, definition, undefined)
}
