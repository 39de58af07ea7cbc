import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Chat } from './Chat.tsx'
import { waiter } from './remoteWaiter.ts'

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <Chat agent={waiter} />
    </StrictMode>,
  )
