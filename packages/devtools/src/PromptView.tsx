import type { Agent, Event } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { type EventOf, type ModelRequest, requestAt } from '@interleave/core/observe'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { MessageList, messagesAt, toPromptMessage } from './MessageList.tsx'
import { CopyButton, JsonText, shownText } from './parts.tsx'
import type { RunLog } from './runLog.ts'
import { counted } from './wording.ts'

export interface PromptViewProps {
  readonly log: RunLog
  readonly thought: EventOf<'thought'>
  readonly agent: Agent | undefined
}

/** Shows the prompt of a turn: with an agent the exact request, otherwise the messages of the log. */
export function PromptView({ log, thought, agent }: PromptViewProps): ReactNode {
  const recomputed = useRequest(agent, log.events, thought.seq)
  const messages = useMemo(() => messagesAt(log.events, thought), [log, thought])
  if (recomputed?.type === 'loading') return <div data-part="empty">Recomputing the prompt from the log…</div>
  if (recomputed?.type === 'found') return <Request request={recomputed.request} />
  return (
    <div data-part="stack">
      <div data-part="note">
        {recomputed
          ? `This agent no longer reaches this turn, so these are the messages of the log. ${recomputed.reason}`
          : 'These are the messages of the log. Pass the agent to the devtools to see its instructions and tools too.'}
      </div>
      <MessageList messages={messages} />
    </div>
  )
}

function Request({ request }: { readonly request: ModelRequest }) {
  const { abortSignal: _, ...plain } = request as ModelRequest & { readonly abortSignal?: unknown }
  const { prompt, tools = [], ...settings } = plain
  return (
    <div data-part="stack">
      <div data-part="bar">
        <p data-part="facts">
          {counted(prompt.length, 'message')}, {counted(tools.length, 'tool')}. The exact request, recomputed from the
          log.
        </p>
        <CopyButton label="Copy the request" text={() => JSON.stringify(plain, null, 2)} />
      </div>
      <MessageList messages={prompt.map(toPromptMessage)} />
      {tools.length > 0 && (
        <details>
          <summary>{counted(tools.length, 'tool')}</summary>
          {tools.map((tool) => (
            <div key={tool.name} data-part="tool">
              <h4>{shownText(tool.name)}</h4>
              {'description' in tool && tool.description && <p>{shownText(tool.description, 2_000)}</p>}
              <JsonText value={'inputSchema' in tool ? tool.inputSchema : tool} label={`Schema of ${tool.name}`} />
            </div>
          ))}
        </details>
      )}
      {Object.keys(settings).length > 0 && (
        <details>
          <summary>Settings</summary>
          <JsonText value={settings} label="Settings" />
        </details>
      )}
    </div>
  )
}

/** The request of a turn, as far as it is known. */
type Recomputed =
  | { readonly type: 'loading' }
  | { readonly type: 'found'; readonly request: ModelRequest }
  /** The agent no longer reaches the turn. */
  | { readonly type: 'lost'; readonly reason: string }

/** Recomputes the request of a turn with its agent. Undefined without one. */
function useRequest(agent: Agent | undefined, events: readonly Event[], seq: number): Recomputed | undefined {
  const [recomputed, setRecomputed] = useState<Recomputed & { readonly of?: string }>({ type: 'loading' })
  const of = `${events[0]?.type === 'started' ? events[0].runId : ''} ${seq}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: later events, of which there may be many, do not change the request.
  useEffect(() => {
    if (!agent) return
    let isCurrent = true
    const show = (result: Recomputed): void => {
      if (isCurrent) setRecomputed({ ...result, of })
    }
    requestAt(agent, events, seq).then(
      (request) => show(request ? { type: 'found', request } : { type: 'lost', reason: '' }),
      (error: unknown) => show({ type: 'lost', reason: messageOf(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [agent, of])
  if (!agent) return undefined
  return recomputed.of === of ? recomputed : { type: 'loading' }
}
