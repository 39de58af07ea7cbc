import type { CallMessage } from '@interleave/core/observe'
import { type McpApps, mcpApps } from '@interleave/mcp/apps'
import { useMessages } from '@interleave/react'
import { McpApp } from '@interleave/react/mcp-app'
import { use } from 'react'
import type { OpenRun } from '../run/openRun.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import type { PageStorage } from '../storage/PageStorage.ts'
import { server } from './shop.ts'
import { shopPath } from './shopAddress.ts'
import './shelfApp.css'

/** The apps of the shop, which use the journal of the page's runs. */
let opening: Promise<McpApps | undefined> | undefined

async function open(openStorage: () => Promise<PageStorage>): Promise<McpApps | undefined> {
  const [{ journal }, response] = await Promise.all([
    openStorage(),
    fetch(`${shopPath}/sandbox`, { cache: 'no-store' }),
  ])
  const sandbox = await response.text()
  // The shop's list was reviewed, and so were its hints.
  return mcpApps(server, { sandbox, journal, trustHints: true })
}

/** The app of a call of the shop, below the call. */
export function ShelfApp({ run, callKey }: { readonly run: OpenRun; readonly callKey: string }) {
  const { openStorage } = usePlayground()
  opening ??= open(openStorage).catch(() => undefined)
  const apps = use(opening)
  const theme = usePage(({ settings }) => settings.theme)
  const message = useMessages(run).find((each): each is CallMessage => each.type === 'call' && each.key === callKey)
  if (!apps || !message) return null
  return <McpApp className="shelf-app" apps={apps} message={message} run={run} {...(theme !== 'system' && { theme })} />
}
