import { acrossTabs } from '@interleave/connect/tabs'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Chat } from './Chat.tsx'
import { waiter } from './waiter.ts'

/** Runs survive a reload, and tabs that open the same run share it. */
const agent = acrossTabs(waiter, { journal: indexedDbJournal() })

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <Chat agent={agent} />
    </StrictMode>,
  )
