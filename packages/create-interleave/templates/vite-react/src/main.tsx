import { indexedDbJournal } from '@interleave/core/indexeddb'
import { ReActProvider } from '@interleave/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Chat } from './Chat.tsx'
import { waiter } from './waiter.ts'

const journal = indexedDbJournal()

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <ReActProvider journal={journal}>
        <Chat agent={waiter} />
      </ReActProvider>
    </StrictMode>,
  )
