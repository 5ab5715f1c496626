import { expect, it } from 'vitest'
import type { PlainAnswer } from './plain-client.ts'
import { useDataFolder } from './use-data-folder.ts'

const { restart, call } = useDataFolder({ containers: [] })

const USERS = '/dbs/shop/users'

async function readUsers(): Promise<unknown[]> {
  const { body } = await call('GET', USERS)
  const permissions = body.Users.map(({ id }: { id: string }) => call('GET', `${USERS}/${id}/permissions`))
  return [body, ...(await Promise.all(permissions)).map((answer: PlainAnswer) => answer.body)]
}

function permission(id: string, key: string): object {
  return { id, permissionMode: 'Read', resource: 'dbs/shop/colls/orders', resourcePartitionKey: [key] }
}

it('users and permissions are the same after restarts', async () => {
  await call('POST', '/dbs', { body: { id: 'shop' } })
  for (const id of ['ada', 'bob', 'cy']) await call('POST', USERS, { body: { id } })
  await call('PUT', `${USERS}/ada`, { body: { id: 'eve' } })
  await call('DELETE', `${USERS}/cy`)
  for (const id of ['one', 'two', 'three']) await call('POST', `${USERS}/bob/permissions`, { body: permission(id, id) })
  await call('DELETE', `${USERS}/bob/permissions/one`)
  await call('PUT', `${USERS}/bob/permissions/two`, { body: { ...permission('two', 'two'), permissionMode: 'All' } })
  await call('PUT', `${USERS}/bob`, { body: { id: 'bob' } })

  const before = await readUsers()
  await restart()
  expect(await readUsers()).toEqual(before)

  // new users and permissions get resource ids that no other one had
  await call('POST', USERS, { body: { id: 'dan' } })
  await call('POST', `${USERS}/bob/permissions`, { body: permission('four', 'four') })
  const after = await readUsers()
  await restart()
  expect(await readUsers()).toEqual(after)
  const rids = JSON.stringify(after).match(/"_rid":"[^"]+","_self"/g) ?? []
  expect(new Set(rids).size).toBe(rids.length)
})
