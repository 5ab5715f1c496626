import { startEmulator } from '@keystamp/emulator'
import { expect, it } from 'vitest'

// Signatures that the SDKs have made at a date in the past, at which the clock of the emulator is set.
const DATE = 'Thu, 27 Apr 2017 00:51:12 GMT'
const OTHER = 'dsZQi3KtZmCv1ljt3VNWNm7sQUF1y5rJfC6kv5JiwvW0EndXdDku/dkKBp8/ufDToSxLzR4y+O/0H/t4bQtVNw=='

it.each([
  [OTHER, 'GET', 'dbs/ToDoList', 'c09PEVJrgp2uQRkr934kFbTqhByc7TVr3OHyqlu%2Bc%2Bc%3D', 404],
  [undefined, 'GET', '', 'gFB1bRB%2FPLJTG3bCgMuoVgNzOyFvZAamzEtLuSITjRc%3D', 200],
  [undefined, 'POST', 'dbs/d/colls/c/docs', 'BxpCFKtAFFoil4E60WnvfMCGa5YdI7RxUGBsMIi5%2Bik%3D', 404],
  [undefined, 'GET', 'dbs/d/colls/c/docs/1', 'MftCZKcAuV1ArYR4ohFMgj68Md3DbYIxBNpStFwXE3M%3D', 404],
  [undefined, 'GET', 'dbs/d/colls/c/pkranges', 'eYzyUWpuY3MaTXvwYksgUuV%2FZ4FOPfMKjPwSYmeEBcI%3D', 404],
  [undefined, 'GET', 'dbs/d/colls/c', 'kI5y9Sx6Kl95dylq6CfORdUPfJ4Iad29pJyutcAxGLw%3D', 404],
  [undefined, 'POST', 'dbs', 'CHjhNtQltyEuPdWLf2%2Ff%2BhSkSlYg%2B7UuFlwMyv8L7mI%3D', 400],
  [undefined, 'POST', 'dbs/d/colls', '%2BRxi8EWZPMflpBkwGDeX7uHyTYY%2F%2BAQAjG%2B280pwkgY%3D', 404],
  [undefined, 'PUT', 'offers/Hu+t', 'HqJwdv2DF98EWpmvs354ZLFbrReLT6YAge%2BX7D2ad7c%3D', 404]
])('the published signature (key %s) for %s /%s is accepted', async (key, method, path, signature, status) => {
  const emulator = await startEmulator({ now: () => Date.parse(DATE), ...(key === undefined ? {} : { key }) })
  const ask = async (signed: string): Promise<number> => {
    const headers = { 'x-ms-date': DATE, authorization: `type%3Dmaster%26ver%3D1.0%26sig%3D${signed}` }
    return (await fetch(`${emulator.endpoint}${path}`, { method, headers })).status
  }
  const answers = [await ask(signature), await ask(signature.replace(/[g-z]/, '0'))]
  await emulator.stop()

  expect(answers).toEqual([status, 401])
})
