import { createOpenAI } from '@ai-sdk/openai'
import { agent } from '@interleave/core'
import { adviceOf } from '@interleave/core/observe'
import { expect, it, vi } from 'vitest'

/** Returns the advice for a run of a model whose server responds like this. */
async function adviceFor(provider: Parameters<typeof createOpenAI>[0]): Promise<string> {
  const run = agent({ name: 'guide', model: createOpenAI(provider)('gpt-5-mini') }).start('Go')
  const signal = await run.settled
  return signal.type === 'failed' ? `${signal.error.message} | ${adviceOf(signal.error).developer}` : signal.type
}
const answering = (status: number, body: object) => async () =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const showing = async () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } })
const refusing = async (): Promise<never> => {
  throw new TypeError('Failed to fetch')
}

it('says what to do where the key is missing, in Node and in a page', async () => {
  vi.stubEnv('OPENAI_API_KEY', undefined)
  const inNode = await adviceFor({})
  vi.stubGlobal('process', undefined)
  const inPage = await adviceFor({})
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()

  for (const words of [inNode, inPage]) expect(words).toMatch(/API key is missing.* \| Give the model an API key/s)
})

it('says what to do where a key, a model, an address or the network is wrong', async () => {
  const apiKey = 'sk-x'
  const said = {
    key: await adviceFor({ apiKey, fetch: answering(401, { error: { message: 'Incorrect API key provided.' } }) }),
    model: await adviceFor({ apiKey, fetch: answering(404, { error: { message: 'The model does not exist.' } }) }),
    credit: await adviceFor({ apiKey, fetch: answering(402, { error: { message: 'Insufficient credits.' } }) }),
    page: await adviceFor({ apiKey, fetch: showing }),
    network: await adviceFor({ apiKey, fetch: refusing }),
  }

  expect(said).toEqual({
    key: expect.stringMatching(/Incorrect API key provided\. \| Check the API key/),
    model: expect.stringMatching(/The model does not exist\. \| Check the name of the model and the address/),
    credit: expect.stringMatching(/Insufficient credits\. \| Check the credit/),
    page: expect.stringMatching(/answers with a web page\. Check the `baseURL`/),
    network: expect.stringMatching(/Failed to fetch \| Check the network connection .*CORS/),
  })
})
