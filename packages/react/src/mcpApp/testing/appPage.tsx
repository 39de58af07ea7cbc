// The page of mcpApp.soak.test.ts.
import { agent } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { mcpClient, mcpTools } from '@interleave/mcp'
import { mcpApps } from '@interleave/mcp/apps'
import { scriptedModel } from '@interleave/testing'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SignalOutlet, type ToolCardProps, Transcript } from '../../index.ts'
import { McpApp } from '../McpApp.tsx'

const { url, sandbox, name } = Object.fromEntries(new URLSearchParams(location.search)) as Record<string, string>

const journal = indexedDbJournal()
const shop = mcpClient({ url: url ?? '', apps: true })
const model = scriptedModel(({ prompt }) => {
  const last = prompt.at(-1)
  if (last?.role === 'tool') return 'Here it is.'
  return prompt.some(({ role }) => role === 'tool')
    ? 'Yes, it is.'
    : { calls: [{ name: name ?? '', input: { item: 'Tea' } }] }
})
const buyer = agent({ name: 'buyer', model, tools: mcpTools(shop) })

const root = (): HTMLElement => document.getElementById('root') as HTMLElement

async function begin(): Promise<void> {
  const apps = mcpApps(shop, { sandbox: sandbox ?? '', journal })
  const cards = { [name ?? '']: (props: ToolCardProps) => <McpApp apps={apps} {...props} /> }
  const run = await buyer.resume('visit', { journal }).catch(() => buyer.start('Show it', { id: 'visit', journal }))
  Object.assign(globalThis, { run, journal })
  createRoot(root()).render(
    <StrictMode>
      <main>
        <h1>Shop</h1>
        <Transcript run={run} tools={cards} />
        <SignalOutlet run={run} />
      </main>
    </StrictMode>,
  )
}

begin().catch((error: unknown) => {
  root().textContent = String(error)
})
