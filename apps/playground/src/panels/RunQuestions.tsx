import { AllowedList, SignalOutlet } from '@interleave/react'
import type { Conversation } from '../run/PlaygroundState.ts'

/** What the run asks the user. In the past nothing can be answered. */
export const Questions = ({ conversation: { run, past } }: { conversation: Conversation }) => (
  <SignalOutlet key={run.id} run={past ? undefined : run} failures={false} />
)

/** What the user has allowed it, to take back. */
export const Allowed = ({ conversation: { run, permissions } }: { conversation: Conversation }) => (
  <AllowedList className="allowed-list" run={run} store={permissions} />
)
