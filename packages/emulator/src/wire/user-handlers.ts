import { METADATA_RU } from '../charge/operation-charge.ts'
import { parsePartitionKey } from '../partition/partition-key.ts'
import { isObject, refuseUnless, ServiceError } from '../service-error.ts'
import { parseResourceName } from '../store/container-definition.ts'
import type { Permission, PermissionDefinition, User, Users } from '../store/user.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { listAnswer } from './database-handlers.ts'
import { parseJsonBody } from './request-body.ts'
import { databaseOf, isKnown, OWNER_MISSING, refuseUnlessMatched } from './resource-lookup.ts'
import { createToken } from './resource-token.ts'
import type { Service } from './service.ts'
import { headerOf, isSet, type WireRequest } from './wire-request.ts'

const WRITE_RU = 4.95

/** `GET /dbs/{d}/users`, or a query over them. */
export function listUsers(service: Service, request: WireRequest): Answer {
  const database = databaseOf(service, request, OWNER_MISSING)
  const users = [...database.users.byId.values()].map((user) => user.toJson())
  return listAnswer(service, request, 'Users', database.rid, users)
}

/** `POST /dbs/{d}/users`: creates a user, or replaces the user with this id if the request is an upsert. */
export function createUser(service: Service, request: WireRequest): Answer {
  const { users } = databaseOf(service, request, OWNER_MISSING)
  const id = userIdIn(request)
  const existing = isSet(request, 'x-ms-documentdb-is-upsert') ? users.byId.get(id) : undefined
  if (existing === undefined) {
    const user = users.create(id, secondsOf(service))
    keep(service, request, user)
    return userAnswer(201, user, WRITE_RU)
  }
  return changeUser(service, request, users, existing)
}

/** `GET /dbs/{d}/users/{u}`. */
export function readUser(service: Service, request: WireRequest): Answer {
  const user = userOf(service, request)
  const answer = userAnswer(200, user, METADATA_RU)
  return isKnown(request, user.etag) ? { ...answer, status: 304, body: undefined } : answer
}

/** `PUT /dbs/{d}/users/{u}`. */
export function replaceUser(service: Service, request: WireRequest): Answer {
  return changeUser(service, request, databaseOf(service, request).users, userOf(service, request))
}

/** `DELETE /dbs/{d}/users/{u}`: also deletes the permissions of the user. */
export function deleteUser(service: Service, request: WireRequest): Answer {
  const user = userOf(service, request)
  refuseUnlessMatched(request, user.etag)
  const database = databaseOf(service, request)
  database.users.byId.delete(user.id)
  service.account.journal?.resource({ kind: 'deleteUser', database: database.id, id: user.id })
  return { status: 204, body: undefined, chargeRu: WRITE_RU, headers: [] }
}

function changeUser(service: Service, request: WireRequest, users: Users, user: User): Answer {
  refuseUnlessMatched(request, user.etag)
  users.replace(user, userIdIn(request), secondsOf(service))
  keep(service, request, user)
  return userAnswer(200, user, WRITE_RU)
}

/** Writes the state of a user, with its permissions, to the data folder. */
function keep(service: Service, request: WireRequest, user: User): void {
  const database = databaseOf(service, request).id
  service.account.journal?.resource({ kind: 'user', database, state: user.state() })
}

function userIdIn(request: WireRequest): string {
  const body = parseJsonBody(request.body)
  refuseUnless(isObject(body), 'The user must be a JSON object.')
  return parseResourceName(body['id'])
}

function userOf(service: Service, request: WireRequest, missingSubStatus = 0): User {
  const database = databaseOf(service, request, missingSubStatus)
  const name = request.address.ids[1]
  const user = database.users.find(name)
  if (user !== undefined) return user
  throw new ServiceError(404, `The user '${name}' does not exist in the database '${database.id}'.`, {
    subStatus: missingSubStatus
  })
}

function userAnswer(status: number, user: User, chargeRu: number): Answer {
  return jsonAnswer(status, user.toJson(), chargeRu, ['etag', user.etag])
}

/** `GET /dbs/{d}/users/{u}/permissions`, or a query over them. */
export function listPermissions(service: Service, request: WireRequest): Answer {
  const user = userOf(service, request, OWNER_MISSING)
  const permissions = [...user.permissions.values()].map((permission) => jsonOf(service, request, permission))
  return listAnswer(service, request, 'Permissions', user.rid, permissions)
}

/** `POST /dbs/{d}/users/{u}/permissions`: creates a permission, or replaces it if the request is an upsert. */
export function createPermission(service: Service, request: WireRequest): Answer {
  const user = userOf(service, request, OWNER_MISSING)
  const definition = permissionIn(request)
  const existing = isSet(request, 'x-ms-documentdb-is-upsert') ? user.permissions.get(definition.id) : undefined
  if (existing !== undefined) return changePermission(service, request, user, existing)
  const expirySeconds = expirySecondsOf(request)
  const permission = user.createPermission(definition, secondsOf(service))
  keep(service, request, user)
  return permissionAnswer(service, 201, permission, expirySeconds, WRITE_RU)
}

/** `GET /dbs/{d}/users/{u}/permissions/{p}`: each read creates another token. */
export function readPermission(service: Service, request: WireRequest): Answer {
  const permission = permissionOf(request, userOf(service, request, OWNER_MISSING))
  return permissionAnswer(service, 200, permission, expirySecondsOf(request), METADATA_RU)
}

/** `PUT /dbs/{d}/users/{u}/permissions/{p}`. */
export function replacePermission(service: Service, request: WireRequest): Answer {
  const user = userOf(service, request, OWNER_MISSING)
  return changePermission(service, request, user, permissionOf(request, user))
}

/** `DELETE /dbs/{d}/users/{u}/permissions/{p}`. */
export function deletePermission(service: Service, request: WireRequest): Answer {
  const user = userOf(service, request, OWNER_MISSING)
  const permission = permissionOf(request, user)
  refuseUnlessMatched(request, permission.etag)
  user.permissions.delete(permission.definition.id)
  keep(service, request, user)
  return { status: 204, body: undefined, chargeRu: WRITE_RU, headers: [] }
}

function changePermission(service: Service, request: WireRequest, user: User, permission: Permission): Answer {
  refuseUnlessMatched(request, permission.etag)
  const expirySeconds = expirySecondsOf(request)
  user.replacePermission(permission, permissionIn(request), secondsOf(service))
  keep(service, request, user)
  return permissionAnswer(service, 200, permission, expirySeconds, WRITE_RU)
}

function permissionOf(request: WireRequest, user: User): Permission {
  const name = request.address.ids[2]
  const permission = user.findPermission(name)
  if (permission === undefined)
    throw new ServiceError(404, `The permission '${name}' of the user '${user.id}' does not exist.`)
  return permission
}

function permissionIn(request: WireRequest): PermissionDefinition {
  const body = parseJsonBody(request.body)
  refuseUnless(isObject(body), 'The permission must be a JSON object.')
  const { permissionMode, resource, resourcePartitionKey } = body
  const mode = MODES.find((known) => known.toLowerCase() === String(permissionMode).toLowerCase())
  refuseUnless(mode !== undefined, "The property 'permissionMode' must be 'All' or 'Read'.")
  refuseUnless(
    typeof resource === 'string' && RESOURCE_LINK.test(resource),
    "The property 'resource' must be the link of a container or of a resource in a container, such as dbs/shop/colls/orders."
  )
  return {
    id: parseResourceName(body['id']),
    permissionMode: mode,
    resource,
    ...(resourcePartitionKey === undefined || resourcePartitionKey === null
      ? {}
      : { resourcePartitionKey: parseKeyValues(resourcePartitionKey) })
  }
}

const MODES = ['All', 'Read'] as const
const RESOURCE_LINK = /^\/?dbs\/[^/]+\/colls\/[^/]+(?:\/(?:docs|sprocs|triggers|udfs)\/[^/]+)?\/?$/

function parseKeyValues(values: unknown): readonly unknown[] {
  refuseUnless(Array.isArray(values) && values.length > 0, 'Partition key supplied is not valid.')
  parsePartitionKey(JSON.stringify(values))
  return values
}

const DEFAULT_EXPIRY_SECONDS = 3600
const MIN_EXPIRY_SECONDS = 10
const MAX_EXPIRY_SECONDS = 86_400

function expirySecondsOf(request: WireRequest): number {
  const given = headerOf(request, 'x-ms-documentdb-expiry-seconds')
  if (given === undefined) return DEFAULT_EXPIRY_SECONDS
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : 0
  refuseUnless(
    seconds >= MIN_EXPIRY_SECONDS && seconds <= MAX_EXPIRY_SECONDS,
    `The header 'x-ms-documentdb-expiry-seconds' must be a whole number from ${MIN_EXPIRY_SECONDS} to ${MAX_EXPIRY_SECONDS}.`
  )
  return seconds
}

function permissionAnswer(
  service: Service,
  status: number,
  permission: Permission,
  expirySeconds: number,
  chargeRu: number
): Answer {
  return jsonAnswer(status, withToken(service, permission, expirySeconds), chargeRu, ['etag', permission.etag])
}

function jsonOf(service: Service, request: WireRequest, permission: Permission): Record<string, unknown> {
  return withToken(service, permission, expirySecondsOf(request))
}

function withToken(service: Service, permission: Permission, expirySeconds: number): Record<string, unknown> {
  const expiresMs = service.now() + expirySeconds * 1000
  return permission.toJson(createToken(service.settings.key, permission, expiresMs))
}

function secondsOf(service: Service): number {
  return Math.floor(service.now() / 1000)
}
