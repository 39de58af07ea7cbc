import { AllowedList, SignalOutlet } from '@interleave/react'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useMedia } from '../shell/useMedia.ts'
import { FormWithSample } from './FormWithSample.tsx'

const components = { form: FormWithSample }

/** Shows the questions of the run as a card above the message box. In the past nothing can be answered. */
export function Questions({ conversation: { run, past } }: { conversation: Conversation }) {
  // A card would leave no room for the conversation, and another pane may be shown.
  const isNarrow = useMedia('(width < 48rem)')
  return (
    <SignalOutlet
      key={run.id}
      run={past ? undefined : run}
      components={components}
      docked={!isNarrow}
      failures={false}
    />
  )
}

/** Lists the permissions for later calls. */
export const Allowed = ({ conversation: { run, permissions } }: { conversation: Conversation }) => (
  <AllowedList className="allowed-list" run={run} store={permissions} />
)
