import { useStatus } from '@interleave/react'
import { useEffect, useState } from 'react'
import type { Payment } from '../bank/Bank.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePlayground } from '../run/usePlayground.ts'

/** Returns the payments of a run, as the bank has them. */
export function usePayments({ run, place }: Conversation): readonly Payment[] {
  const { id: runId } = run
  const { status } = useStatus(run)
  // The server is polled, so only while there may be more payments.
  const isWatched = place !== 'server' || status === 'working'
  const { openStorage } = usePlayground()
  const [payments, setPayments] = useState<readonly Payment[]>([])
  useEffect(() => {
    let isOver = false
    let leave = (): void => {}
    const watch = async (): Promise<void> => {
      const { bank, servers } = await openStorage()
      const ledger = place === 'server' ? servers?.server.ledger : bank
      if (!ledger || isOver) return
      const load = async (): Promise<void> => {
        const found = await ledger.paymentsOf(runId)
        if (!isOver) setPayments(found)
      }
      if (isWatched) leave = ledger.watch(() => void load().catch(() => {}))
      await load()
    }
    // A browser without a database has no ledger to show.
    watch().catch(() => {})
    return () => {
      isOver = true
      leave()
    }
  }, [openStorage, runId, place, isWatched])
  return payments
}
