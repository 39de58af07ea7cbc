import { agent } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import type { DurableContext } from './durableContext.ts'
import { runObject } from './runObject.ts'

const storage = { sql: { exec: () => ({ toArray: () => [] }) }, transactionSync() {}, sync() {} }
const context = { storage, getWebSockets: () => [] } as unknown as DurableContext
const guide = agent({ name: 'guide', model: scriptedModel() })
const given = { agents: [guide], secret: 'a secret for tests only, of 32 bytes and more', users: { get: () => {} } }

it.each([
  [{ secret: undefined }, 'runObject({ secret }) needs a secret'],
  [{ agents: [] }, 'runObject({ agents }) needs agents'],
  [{ agents: [guide, guide] }, 'Two agents of a runObject() have the same name.'],
])('says that %o is wrong', (wrong, words) => {
  expect(() => runObject(context, { ...given, ...wrong } as never)).toThrow(words)
})
