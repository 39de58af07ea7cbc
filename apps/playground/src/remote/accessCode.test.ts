import { expect, it } from 'vitest'
import { principalOf } from '../server/principalOf.ts'
import { accessCode } from './accessCode.ts'

function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  const items = new Map<string, string>()
  return { getItem: (name) => items.get(name) ?? null, setItem: (name, value) => void items.set(name, value) }
}

it('makes a code once, which the server knows again', async () => {
  const kept = storage()
  const code = accessCode(() => kept)
  const before = code.read()
  const made = code.ensure()

  expect(before).toBeUndefined()
  expect(accessCode(() => kept).ensure()).toBe(made)
  expect(
    await principalOf(new Request('http://a.test', { headers: { authorization: `Bearer ${made}` } })),
  ).toBeDefined()
})

it('takes that of another device, and nothing else', () => {
  const code = accessCode(storage)
  const theirs = accessCode(storage).ensure()

  expect(code.use('theirs')).toBe(false)
  expect(code.use(` ${theirs}\n`)).toBe(true)
  expect(code.read()).toBe(theirs)
})

it('lasts as long as the page where nothing can be stored', () => {
  const code = accessCode(() => {
    throw new Error('Refused.')
  })

  expect(code.ensure()).toBe(code.read())
})
