import type { RequestKind } from '../fault/request-kind.ts'
import { ServiceError } from '../service-error.ts'
import type { Answer } from './answer.ts'
import { runBatch, runBulk } from './batch-handlers.ts'
import { readChangeFeed } from './change-feed-handler.ts'
import { createContainer, deleteContainer, readContainer, readRanges, replaceContainer } from './container-handlers.ts'
import {
  createDatabase,
  deleteDatabase,
  findConflict,
  isQuery,
  listConflicts,
  listContainers,
  listDatabases,
  listOffers,
  readAccount,
  readDatabase
} from './database-handlers.ts'
import { readFeed } from './feed-handlers.ts'
import { createItem, deleteItem, deletePartition, patchItem, readItem, replaceItem } from './item-handlers.ts'
import { readOffer, replaceOffer } from './offer-handlers.ts'
import { planQueryRequest, runQueryPage } from './query-handler.ts'
import type { Service } from './service.ts'
import {
  createPermission,
  createUser,
  deletePermission,
  deleteUser,
  listPermissions,
  listUsers,
  readPermission,
  readUser,
  replacePermission,
  replaceUser
} from './user-handlers.ts'
import { headerOf, isSet, type WireRequest } from './wire-request.ts'

/** A kind of request and its handler. */
export interface Route {
  readonly kind: RequestKind
  readonly handle: (service: Service, request: WireRequest) => Answer | Promise<Answer>
}

/** The route of a request; throws 501 for unsupported resources, 404 for unknown paths, 405 for wrong methods. */
export function findRoute(request: WireRequest): Route {
  const { pattern } = request.address
  const methods = Object.hasOwn(ROUTES, pattern) ? ROUTES[pattern] : undefined
  if (methods === undefined) throw unknownPath(pattern)
  const choose = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
  if (choose === undefined) throw new ServiceError(405, `The method ${request.method} is not allowed on /${pattern}.`)
  return typeof choose === 'function' ? choose(request) : choose
}

const ROUTES: Readonly<Record<string, Readonly<Record<string, Route | ((request: WireRequest) => Route)>>>> = {
  '': { GET: { kind: 'account', handle: readAccount } },
  dbs: {
    GET: { kind: 'listDatabases', handle: listDatabases },
    POST: queryOr({ kind: 'listDatabases', handle: listDatabases }, { kind: 'createDatabase', handle: createDatabase })
  },
  'dbs/*': {
    GET: { kind: 'readDatabase', handle: readDatabase },
    DELETE: { kind: 'deleteDatabase', handle: deleteDatabase }
  },
  'dbs/*/colls': {
    GET: { kind: 'listContainers', handle: listContainers },
    POST: queryOr(
      { kind: 'listContainers', handle: listContainers },
      { kind: 'createContainer', handle: createContainer }
    )
  },
  'dbs/*/colls/*': {
    GET: { kind: 'readContainer', handle: readContainer },
    PUT: { kind: 'replaceContainer', handle: replaceContainer },
    DELETE: { kind: 'deleteContainer', handle: deleteContainer }
  },
  'dbs/*/colls/*/pkranges': { GET: { kind: 'ranges', handle: readRanges } },
  'dbs/*/colls/*/conflicts': ofKind('conflicts', { GET: listConflicts, POST: listConflicts }),
  'dbs/*/colls/*/conflicts/*': ofKind('conflicts', { GET: findConflict, DELETE: findConflict }),
  'dbs/*/colls/*/operations/*': { POST: routeOfOperation },
  'dbs/*/colls/*/docs': { GET: routeOfFeed, POST: routeOfPost },
  'dbs/*/colls/*/docs/*': {
    GET: { kind: 'read', handle: readItem },
    PUT: { kind: 'replace', handle: replaceItem },
    PATCH: { kind: 'patch', handle: patchItem },
    DELETE: { kind: 'delete', handle: deleteItem }
  },
  'dbs/*/users': {
    GET: { kind: 'users', handle: listUsers },
    POST: queryOr({ kind: 'users', handle: listUsers }, { kind: 'users', handle: createUser })
  },
  'dbs/*/users/*': ofKind('users', { GET: readUser, PUT: replaceUser, DELETE: deleteUser }),
  'dbs/*/users/*/permissions': {
    GET: { kind: 'permissions', handle: listPermissions },
    POST: queryOr({ kind: 'permissions', handle: listPermissions }, { kind: 'permissions', handle: createPermission })
  },
  'dbs/*/users/*/permissions/*': ofKind('permissions', {
    GET: readPermission,
    PUT: replacePermission,
    DELETE: deletePermission
  }),
  offers: ofKind('offers', { GET: listOffers, POST: listOffers }),
  'offers/*': ofKind('offers', { GET: readOffer, PUT: replaceOffer })
}

function ofKind(
  kind: RequestKind,
  handlers: Readonly<Record<string, Route['handle']>>
): Readonly<Record<string, Route>> {
  return Object.fromEntries(Object.entries(handlers).map(([method, handle]) => [method, { kind, handle }]))
}

function queryOr(query: Route, create: Route): (request: WireRequest) => Route {
  return (request) => (isQuery(request) ? query : create)
}

function routeOfFeed(request: WireRequest): Route {
  return headerOf(request, 'a-im') === undefined
    ? { kind: 'feed', handle: readFeed }
    : { kind: 'changeFeed', handle: readChangeFeed }
}

function routeOfOperation(request: WireRequest): Route {
  const name = request.address.ids[2]
  if (name === 'partitionkeydelete') return { kind: 'deletePartition', handle: deletePartition }
  throw new ServiceError(501, `The operation '${name}' on a container is not supported by this emulator.`)
}

function routeOfPost(request: WireRequest): Route {
  if (isSet(request, 'x-ms-cosmos-is-query-plan-request')) return { kind: 'plan', handle: planQueryRequest }
  if (isQuery(request)) return { kind: 'query', handle: runQueryPage }
  if (isSet(request, 'x-ms-cosmos-is-batch-request')) {
    return isSet(request, 'x-ms-cosmos-batch-atomic')
      ? { kind: 'batch', handle: runBatch }
      : { kind: 'bulk', handle: runBulk }
  }
  return isSet(request, 'x-ms-documentdb-is-upsert')
    ? { kind: 'upsert', handle: createItem }
    : { kind: 'create', handle: createItem }
}

const UNSUPPORTED = /(?:^|\/)(attachments|clientencryptionkeys|operations|media|schemas)(?:\/|$)/
const SCRIPTS = /(?:^|\/)(sprocs|triggers|udfs)(?:\/|$)/

const SCRIPT_NAMES: Readonly<Record<string, string>> = {
  sprocs: 'Stored procedures',
  triggers: 'Triggers',
  udfs: 'User-defined functions'
}

function unknownPath(pattern: string): ServiceError {
  const script = SCRIPTS.exec(pattern)
  if (script !== null)
    return new ServiceError(
      501,
      `${SCRIPT_NAMES[script[1]]} are not supported by this emulator, because it runs no server-side JavaScript.`
    )
  const unsupported = UNSUPPORTED.exec(pattern)
  if (unsupported !== null)
    return new ServiceError(501, `The resource type '${unsupported[1]}' is not supported by this emulator.`)
  return new ServiceError(404, `No resource has the path /${pattern}.`)
}
