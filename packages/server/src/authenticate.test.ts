import { expect, it } from 'vitest'
import { authenticate } from './createHandler.ts'
import type { Authorize } from './handlerOptions.ts'

const ask = (given: unknown) =>
  authenticate((() => given) as Authorize, new Request('https://edge.test/v1/runs'), { action: 'list' })

it.each([undefined, null, ''])('refuses a request without a user: %j', async (anonymous) => {
  await expect(ask(anonymous)).rejects.toMatchObject({ code: 'not_allowed' })
})

it('keeps the context that stands next to the user, also none', async () => {
  await expect(ask({ user: 'ada', context: undefined })).resolves.toEqual({
    principal: 'ada',
    given: { value: undefined },
  })
  await expect(ask('ada')).resolves.toEqual({ principal: 'ada', given: undefined })
})

it.each([
  ['was sent or read before', new Response('No.')],
  ['has no status', Response.error()],
])('says that a response %s', async (why, response) => {
  response.body?.getReader()

  await expect(ask(response)).rejects.toThrow(why)
})

it.each([42, {}, { user: '', context: 1 }, true, 'x'.repeat(257), 'ada\ud800'])(
  'blames no one but authorize for what stands for no user: %j',
  async (given) => {
    const failure = ask(given)

    await expect(failure).rejects.toMatchObject({ code: 'server_failed' })
    await expect(failure).rejects.toThrow('1 to 256 characters')
  },
)
