import './safety/jitless.ts'
import { StrictMode } from 'react'
import { App } from './App.tsx'
import { keepOffline } from './offline/keepOffline.ts'
import { reportNetwork } from './offline/reportNetwork.ts'
import { reportUnfetched } from './offline/reportUnfetched.ts'
import { createPlayground } from './run/createPlayground.ts'
import { followAddress } from './run/followAddress.ts'
import { PlaygroundContext } from './run/usePlayground.ts'
import { keepStored, storedParts } from './shell/keepStored.ts'
import { renderPage } from './shell/renderPage.tsx'
import { followTheme } from './shell/ThemeButton.tsx'

const host = document.getElementById('root')
if (!host) throw new Error('index.html has no #root')
const open = async () => (await import('./storage/storageWithServers.ts')).storageWithServers()
const playground = createPlayground({ open })
keepStored(playground.store, () => localStorage, storedParts)
followTheme(playground.store, document.documentElement)
followAddress(playground)
reportNetwork(playground)
reportUnfetched(playground)
// Without service workers, and in development, the page needs its server at each visit.
if (import.meta.env.PROD && navigator.serviceWorker) keepOffline(playground, navigator.serviceWorker).catch(() => {})
// An earlier built page at this address may have left its service worker.
if (import.meta.env.DEV) void navigator.serviceWorker?.getRegistration().then((left) => left?.unregister())
renderPage(
  host,
  <StrictMode>
    <PlaygroundContext value={playground}>
      <App />
    </PlaygroundContext>
  </StrictMode>,
)
