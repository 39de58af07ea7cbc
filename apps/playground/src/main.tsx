import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { createPlayground } from './run/playground.ts'
import { PlaygroundContext } from './run/usePlayground.ts'

const host = document.getElementById('root')
if (!host) throw new Error('index.html has no #root')
createRoot(host).render(
  <StrictMode>
    <PlaygroundContext value={createPlayground()}>
      <App />
    </PlaygroundContext>
  </StrictMode>,
)
