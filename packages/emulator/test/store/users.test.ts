import { expect, it } from 'vitest'
import { Users, type UsersState } from '../../src/store/user.ts'

it('users that are restored from their state have the same permissions, and create the same resource ids', () => {
  const users = new Users(7, 'dbs/x/')
  const ada = users.create('ada', 100)
  const gone = users.create('gone', 100)
  ada.createPermission({ id: 'p', permissionMode: 'Read', resource: 'dbs/x/colls/c' }, 101)
  const replaced = ada.createPermission({ id: 'q', permissionMode: 'All', resource: 'dbs/x/colls/d' }, 101)
  ada.replacePermission(replaced, { id: 'r', permissionMode: 'All', resource: 'dbs/x/colls/d' }, 102)
  users.byId.delete(gone.id)

  const restored = new Users(7, 'dbs/x/')
  restored.restore(JSON.parse(JSON.stringify(users.state())) as UsersState)

  expect(restored.state()).toEqual(users.state())
  expect(restored.create('bob', 103).rid).toBe(users.create('bob', 103).rid)
  const next = { id: 's', permissionMode: 'All', resource: 'dbs/x/colls/e' } as const
  expect(restored.find('ada')?.createPermission(next, 104).rid).toBe(ada.createPermission(next, 104).rid)
})
