import { testSecret } from '@interleave/test-kit/handlerCalls'
import { expect, it } from 'vitest'
import { type AskedEvent, ReplyTokens } from './replyTokens.ts'
import { Signer } from './signer.ts'

const ask = { id: 'q', kind: 'confirm', prompt: '?', yes: 'y', no: 'n' } as const
const event: AskedEvent = { seq: 0, at: 0, iteration: 1, type: 'asked', ask }

it.each([Number.POSITIVE_INFINITY, 0.5, Number.MAX_VALUE])('takes a reply within %s milliseconds', async (replyMs) => {
  const tokens = new ReplyTokens({ signer: new Signer(testSecret), host: { now: () => 1_000 }, replyMs })
  const by = { runId: 'ada/a', principal: 'ada' }

  const token = await tokens.sign({ event, ...by })

  expect(await tokens.check(token, { events: [event], ask: 'q', ...by })).toBe(event)
})
