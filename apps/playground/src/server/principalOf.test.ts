import { expect, it } from 'vitest'
import { principalOf } from './principalOf.ts'

const asking = (authorization?: string) =>
  new Request('http://a.test', { headers: { ...(authorization && { authorization }) } })
const code = 'a'.repeat(43)

it('knows a user again by the access code, and does not tell it', async () => {
  const who = await principalOf(asking(`Bearer ${code}`))

  expect(who).toMatch(/^[0-9a-f]{64}$/)
  expect(await principalOf(asking(`Bearer ${code}`))).toBe(who)
  expect(await principalOf(asking(`Bearer ${'b'.repeat(43)}`))).not.toBe(who)
})

it.each([undefined, 'Bearer ', `Bearer ${'a'.repeat(42)}`, `Basic ${code}`, `Bearer ${code}=`])(
  'knows no one by %s',
  async (header) => {
    expect(await principalOf(asking(header))).toBeUndefined()
  },
)
