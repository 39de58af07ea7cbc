import { agUiHandler } from '@interleave/ag-ui'
import { chatTransport } from '@interleave/ai-sdk'
import { acrossTabs } from '@interleave/connect/tabs'
import { workerHost } from '@interleave/connect/worker'
import { agent } from '@interleave/core'
import { fork } from '@interleave/core/journal'
import { offerAgents } from '@interleave/mcp'
import { mcpApps } from '@interleave/mcp/apps'
import { createHandler } from '@interleave/server'
import { scriptedModel } from '@interleave/testing'
import { offerTools } from '@interleave/webmcp'
import { expect, it } from 'vitest'

const guide = agent({ name: 'guide', model: scriptedModel() })
const unused = {} as never

it.each<[string, (journal: never) => unknown]>([
  ['acrossTabs', (journal) => acrossTabs(guide, { journal })],
  ['agUiHandler', (journal) => agUiHandler({ ...unused, journal })],
  ['chatTransport', (journal) => chatTransport(guide, { journal })],
  ['createHandler', (journal) => createHandler({ ...unused, journal })],
  ['fork', (journal) => fork(guide, 'r', { journal })],
  ['mcpApps', (journal) => mcpApps(unused, { ...unused, journal })],
  ['offerAgents', (journal) => offerAgents(unused, { ...unused, journal })],
  ['offerTools', (journal) => offerTools({}, { journal })],
  ['workerHost', (journal) => workerHost([guide], { journal })],
])('%s() refuses a journal that cannot be read and written', async (name, call) => {
  const words = `\`journal\` of ${name}() must be an object with append(), read(), list() and delete()`

  for (const journal of [{}, null, 5, { append: () => 0 }])
    await expect(async () => await call(journal as never)).rejects.toThrow(words)
})
