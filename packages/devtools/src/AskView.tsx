import type { ReactNode } from 'react'
import { Facts } from './Facts.tsx'
import type { AskItem } from './itemAt.ts'
import { JsonText } from './JsonText.tsx'
import type { RunLog } from './runLog.ts'
import { stateTab } from './stateTab.tsx'
import { Tabs } from './Tabs.tsx'
import { duration } from './wording.ts'

export interface AskViewProps {
  readonly item: AskItem
  readonly log: RunLog
  /** Of the event that is selected. */
  readonly seq: number
}

/** A question for a user and its reply. */
export function AskView({ item: { asked, events }, log, seq }: AskViewProps): ReactNode {
  const { ask } = asked
  const { prompt, kind, id, call, from, ...details } = ask
  const end = events[1]
  return (
    <>
      <Facts
        facts={{
          Kind: kind,
          Waited: end ? duration(end.at - asked.at) : 'still waiting',
          'Asked by': from ? `${from.agent}, in ${from.runId}` : call && <code>{call}</code>,
        }}
      />
      <Tabs
        label="Parts of the question"
        tabs={[
          {
            id: 'output',
            title: 'Question and reply',
            content: () => (
              <div data-part="stack">
                <h4>Question</h4>
                <JsonText value={prompt} label="The question" />
                <JsonText value={details} label="What can be replied" />
                {end && <h4>{end.type === 'replied' ? 'Reply' : 'Withdrawn'}</h4>}
                {end?.type === 'replied' && <JsonText value={end.value} label="The reply" />}
              </div>
            ),
          },
          stateTab(log, seq),
          { id: 'raw', title: 'Raw', content: () => <JsonText value={events} label={`Events of ${id} as JSON`} /> },
        ]}
      />
    </>
  )
}
