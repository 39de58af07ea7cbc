'use client'

import { Chat } from '../Chat.tsx'
import { waiter } from '../remoteWaiter.ts'

export default function Page() {
  return <Chat agent={waiter} />
}
