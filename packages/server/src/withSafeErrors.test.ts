import { agent, tool } from '@interleave/core'
import { call, openHandler } from '@interleave/test-kit/handlerCalls'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'

const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789'

it('row 15: hides a key of the server that an error names from the user', async () => {
  const look = tool({
    inputSchema: z.object({}),
    execute: () => Promise.reject(new Error(`GET https://a.test/?api_key=${key} failed`)),
  })
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, new Error(`Incorrect API key provided: ${key}`))
  const handler = openHandler([agent({ name: 'a', model, tools: { look } })])
  const { runId } = await (await call(handler, 'runs', { body: { agent: 'a', input: 'Go' } })).json()

  const told = await (await call(handler, `runs/${runId}/events?follow=false`)).text()
  const file = await (await call(handler, `runs/${runId}/export`)).text()

  for (const text of [told, file]) {
    expect(text).toContain('Incorrect API key provided')
    expect(text).not.toContain(key)
  }
})
