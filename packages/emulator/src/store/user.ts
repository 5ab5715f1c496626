import { ServiceError } from '../service-error.ts'
import { permissionRid, resourceEtag, userRid } from './resource-id.ts'

/** A permission as a client writes it. */
export interface PermissionDefinition {
  readonly id: string
  readonly permissionMode: 'All' | 'Read'
  /** Link of a container or of a resource in a container, by names or by resource ids. */
  readonly resource: string
  /** Values of the only partition key, or of a prefix of a hierarchical key, that the permission includes. */
  readonly resourcePartitionKey?: readonly unknown[]
}

/** State of a user in a data folder. */
export interface UserState extends RevisionState {
  readonly id: string
  readonly permissionsMade: number
  readonly permissions: readonly PermissionState[]
}

/** State of a permission in a data folder. */
export interface PermissionState extends RevisionState {
  readonly definition: PermissionDefinition
}

interface RevisionState {
  readonly rid: string
  readonly revision: number
  readonly timestamp: number
}

/** State of the users of a database in a data folder. */
export interface UsersState {
  readonly made: number
  readonly users: readonly UserState[]
}

/** A resource with a new ETag after each change. */
class RevisedResource {
  readonly rid: string
  readonly self: string
  #revision = 1
  #timestamp: number

  constructor(rid: string, self: string, timestamp: number) {
    this.rid = rid
    this.self = self
    this.#timestamp = timestamp
  }

  get etag(): string {
    return resourceEtag(this.#revision, this.#timestamp)
  }

  protected revise(timestamp: number): void {
    this.#timestamp = timestamp
    this.#revision += 1
  }

  protected revisionState(): RevisionState {
    return { rid: this.rid, revision: this.#revision, timestamp: this.#timestamp }
  }

  protected restoreRevision({ revision, timestamp }: RevisionState): void {
    this.#revision = revision
    this.#timestamp = timestamp
  }

  protected systemProperties(): Record<string, unknown> {
    return { _rid: this.rid, _self: this.self, _etag: this.etag, _ts: this.#timestamp }
  }
}

/** A user of a database, and its permissions. */
export class User extends RevisedResource {
  readonly permissions: Map<string, Permission> = new Map()
  #id: string
  #permissionsMade = 0

  constructor(id: string, rid: string, databaseSelf: string, timestamp: number) {
    super(rid, `${databaseSelf}users/${rid}/`, timestamp)
    this.#id = id
  }

  get id(): string {
    return this.#id
  }

  change(id: string, timestamp: number): void {
    this.#id = id
    this.revise(timestamp)
  }

  /** A permission by its id, else by its resource id. */
  findPermission(idOrRid: string): Permission | undefined {
    return this.permissions.get(idOrRid) ?? [...this.permissions.values()].find(({ rid }) => rid === idOrRid)
  }

  createPermission(definition: PermissionDefinition, timestamp: number): Permission {
    this.#refuseTaken(definition, undefined)
    this.#permissionsMade += 1
    const rid = permissionRid(this.rid, this.#permissionsMade)
    const permission = new Permission(definition, rid, this.self, timestamp)
    this.permissions.set(definition.id, permission)
    return permission
  }

  replacePermission(permission: Permission, definition: PermissionDefinition, timestamp: number): void {
    this.#refuseTaken(definition, permission)
    this.permissions.delete(permission.definition.id)
    permission.change(definition, timestamp)
    this.permissions.set(definition.id, permission)
  }

  toJson(): Record<string, unknown> {
    return { id: this.#id, ...this.systemProperties(), _permissions: 'permissions/' }
  }

  /** The state that a data folder keeps. */
  state(): UserState {
    const permissions = [...this.permissions.values()].map((permission) => permission.state())
    return { id: this.#id, ...this.revisionState(), permissionsMade: this.#permissionsMade, permissions }
  }

  /** Takes over a state that `state` returned. */
  restore(state: UserState): void {
    this.#id = state.id
    this.restoreRevision(state)
    this.#permissionsMade = state.permissionsMade
    this.permissions.clear()
    for (const one of state.permissions) {
      const permission = new Permission(one.definition, one.rid, this.self, one.timestamp)
      permission.restore(one)
      this.permissions.set(one.definition.id, permission)
    }
  }

  #refuseTaken(wanted: PermissionDefinition, replaced: Permission | undefined): void {
    for (const permission of this.permissions.values()) {
      if (permission === replaced) continue
      if (permission.definition.id === wanted.id) throw conflict(`the permission '${wanted.id}'`)
      if (targetOf(permission.definition) === targetOf(wanted))
        throw conflict(`a permission of the user '${this.#id}' for the resource '${wanted.resource}'`)
    }
  }
}

/** A permission of a user. */
export class Permission extends RevisedResource {
  #definition: PermissionDefinition

  constructor(definition: PermissionDefinition, rid: string, userSelf: string, timestamp: number) {
    super(rid, `${userSelf}permissions/${rid}/`, timestamp)
    this.#definition = definition
  }

  get definition(): PermissionDefinition {
    return this.#definition
  }

  change(definition: PermissionDefinition, timestamp: number): void {
    this.#definition = definition
    this.revise(timestamp)
  }

  /** The state that a data folder keeps. */
  state(): PermissionState {
    return { definition: this.#definition, ...this.revisionState() }
  }

  /** Takes over a state that `state` returned. */
  restore(state: PermissionState): void {
    this.restoreRevision(state)
  }

  /** The permission with a token, which each read and write of a permission creates. */
  toJson(token: string): Record<string, unknown> {
    return { ...this.#definition, ...this.systemProperties(), _token: token }
  }
}

/** The users of a database. */
export class Users {
  readonly byId: Map<string, User> = new Map()
  readonly #databaseNumber: number
  readonly #databaseSelf: string
  #made = 0

  constructor(databaseNumber: number, databaseSelf: string) {
    this.#databaseNumber = databaseNumber
    this.#databaseSelf = databaseSelf
  }

  /** A user by its id, else by its resource id. */
  find(idOrRid: string): User | undefined {
    return this.byId.get(idOrRid) ?? [...this.byId.values()].find(({ rid }) => rid === idOrRid)
  }

  create(id: string, timestamp: number): User {
    if (this.byId.has(id)) throw conflict(`the user '${id}'`)
    this.#made += 1
    const user = new User(id, userRid(this.#databaseNumber, this.#made), this.#databaseSelf, timestamp)
    this.byId.set(id, user)
    return user
  }

  /** The state that a data folder keeps. */
  state(): UsersState {
    return { made: this.#made, users: [...this.byId.values()].map((user) => user.state()) }
  }

  /** Takes over a state that `state` returned. */
  restore(state: UsersState): void {
    for (const one of state.users) this.restoreUser(one)
    this.#made = state.made
  }

  /** Takes over the state of one user, which exists already or is new. */
  restoreUser(state: UserState): void {
    const known = this.find(state.rid)
    if (known === undefined) this.#made += 1
    else if (known.id !== state.id) this.byId.delete(known.id)
    const user = known ?? new User(state.id, state.rid, this.#databaseSelf, state.timestamp)
    user.restore(state)
    this.byId.set(state.id, user)
  }

  replace(user: User, id: string, timestamp: number): void {
    if (id !== user.id && this.byId.has(id)) throw conflict(`the user '${id}'`)
    if (id !== user.id) this.byId.delete(user.id)
    user.change(id, timestamp)
    this.byId.set(id, user)
  }
}

function targetOf({ resource, resourcePartitionKey }: PermissionDefinition): string {
  return JSON.stringify([resource.replaceAll(/^\/|\/$/g, ''), resourcePartitionKey ?? null])
}

function conflict(what: string): ServiceError {
  return new ServiceError(409, `Resource with specified id or name already exists: ${what}.`)
}
