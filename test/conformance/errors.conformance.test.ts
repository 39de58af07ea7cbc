import { agent, reasonAct, type Signal } from '@interleave/core'
import { APICallError } from 'ai'
import { afterAll, expect, it } from 'vitest'
import { bodyOfError, manifestFile, type Origin, type RecordedError, readManifest } from './capture.ts'
import { needsData } from './needsData.ts'
import { modelFor } from './providers.ts'
import { messageIn } from './reading.ts'
import { secret } from './replayCapture.ts'
import { startReplayServer } from './replayServer.ts'
import { tallying } from './tally.ts'

const manifest = readManifest()
const server = await startReplayServer(manifest)
const errors = manifest.errors.map((error, index) => ({ ...error, index }))
const tallyRow = tallying({ file: manifestFile, of: errors.length })
afterAll(() => server.close())
needsData(manifestFile)

it.concurrent.for(errors)('settles as failed on $file', async ({ index, status, ...error }, { task }) => {
  tallyRow(task, 'error bodies', { row: error.file, parts: 1 })
  const model = modelOf(error, index)

  const run = agent({ name: 'replay', model, backend: reasonAct({ think: { retries: 0 } }) }).start('Begin.')

  const signal = await run.settled
  expect(signal).toMatchObject({
    type: 'failed',
    error: { code: codeOf({ ...error, status }), status },
  })
  expect(failureOf(signal).retryable).toBe((await refusalOf(model)).isRetryable)
  expect(failureOf(signal).message).toMatch(/\w{4,}/)
  expect(failureOf(signal).message).toContain(recordedMessage({ ...error, status }))
  expect(JSON.stringify([signal, run.state])).not.toContain(secret)
})

/** A provider says in words of its own that a prompt is too long. */
const tooLong =
  /too_many_prompt_tokens|context_length_exceeded|(?:tokens|messages|prompt)[^.]{0,40}(?:exceeds|is too long)/i
const codeOf = (error: RecordedError): string =>
  [400, 413].includes(error.status) && tooLong.test(bodyOfError(error).toString('utf8'))
    ? 'context_full'
    : 'model_failed'

/** Returns the provider's message for people, if it sent JSON. */
function recordedMessage(error: RecordedError): string {
  try {
    return messageIn(JSON.parse(bodyOfError(error).toString('utf8')))
  } catch {
    return ''
  }
}

const modelOf = (origin: Origin, index: number) =>
  modelFor(origin, { baseURL: `${server.url}/e/${index}/v1`, apiKey: secret })

function failureOf(signal: Signal): Extract<Signal, { type: 'failed' }>['error'] {
  if (signal.type !== 'failed') throw new Error(`The run rests with "${signal.type}".`)
  return signal.error
}

/** Returns the error of the AI SDK, without the engine. */
async function refusalOf(model: ReturnType<typeof modelOf>): Promise<APICallError> {
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Begin.' }] }]
  try {
    await model.doStream({ prompt })
  } catch (error) {
    if (APICallError.isInstance(error)) return error
    throw error
  }
  throw new Error('The AI SDK takes the error for an answer.')
}
