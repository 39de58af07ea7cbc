import { expect, it } from 'vitest'
import type { Permission } from '../../permission.ts'
import { indexedDbPermissionStore } from './index.ts'

let names = 0
const newName = (): string => `allow-${Date.now()}-${names++}`
const permission = (id: string, at: number): Permission => ({
  id,
  scope: 'input',
  ask: { id, kind: 'approval', prompt: 'Pay?', tool: 'pay', input: { id }, schema: {} },
  input: { id },
  at,
})

it('keeps what several tabs add at once, oldest first and at most a hundred, and takes it back for all', async () => {
  const name = newName()
  const [one, other] = [indexedDbPermissionStore({ name }), indexedDbPermissionStore({ name })]
  const added = Array.from({ length: 110 }, (_, at) => permission(`${at}`, at))
  await Promise.all(added.map((each, index) => (index % 2 ? one : other).add('a', each)))
  await one.add('b', permission('of another agent', 1))

  expect((await other.list('a')).map(({ at }) => at)).toEqual(Array.from({ length: 100 }, (_, index) => index + 10))
  await other.remove('a', '50')
  await other.remove('a', 'unknown')
  expect((await one.list('a')).some(({ id }) => id === '50')).toBe(false)
  expect(await one.list('b')).toHaveLength(1)
})

it('reports changes to those who watch it', async () => {
  const name = newName()
  let changes = 0
  const end = indexedDbPermissionStore({ name }).watch?.(() => changes++)

  await indexedDbPermissionStore({ name }).add('a', permission('1', 1))

  await expect.poll(() => changes).toBe(1)
  end?.()
})

it('gives no permission that is damaged', async () => {
  const store = indexedDbPermissionStore({ name: newName() })
  await store.add('a', permission('good', 1))
  await store.add('a', { ...permission('bad', 2), scope: 'everything' } as never)

  expect((await store.list('a')).map(({ id }) => id)).toEqual(['good'])
})
