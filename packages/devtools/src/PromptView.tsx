import type { Agent, Event } from '@interleave/core'
import { type EventOf, type ModelRequest, requestAt } from '@interleave/core/observe'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { MessageList, messagesAt, toShown } from './MessageList.tsx'
import { CopyButton, JsonText } from './parts.tsx'
import type { RunLog } from './runLog.ts'
import { counted } from './wording.ts'

interface PromptViewProps {
  readonly log: RunLog
  readonly thought: EventOf<'thought'>
  readonly agent: Agent | undefined
}

/** The prompt of a turn: exact with an agent, otherwise what the log has. */
export function PromptView({ log, thought, agent }: PromptViewProps): ReactNode {
  const asked = useRequest(agent, log.events, thought.seq)
  if (asked?.type === 'loading') return <div data-part="empty">Making the prompt again from the log…</div>
  if (asked?.type === 'found') return <Request request={asked.request} />
  return (
    <div data-part="stack">
      <div data-part="note">
        {asked
          ? `This agent does not come to this turn any more, so these are the messages of the log. ${asked.reason}`
          : 'These are the messages of the log. Instructions and tools are the agent’s.'}
      </div>
      <LoggedMessages log={log} thought={thought} />
    </div>
  )
}

function LoggedMessages({ log, thought }: Pick<PromptViewProps, 'log' | 'thought'>) {
  const messages = useMemo(() => messagesAt(log.events, thought), [log, thought])
  return <MessageList messages={messages} />
}

function Request({ request }: { request: ModelRequest }) {
  const { prompt, tools = [], ...settings } = plainRequest(request)
  return (
    <div data-part="stack">
      <div data-part="bar">
        <p data-part="facts">
          {counted(prompt.length, 'message')}, {counted(tools.length, 'tool')}. The exact request, made again from the
          log.
        </p>
        <CopyButton label="Copy the request" text={() => JSON.stringify(plainRequest(request), null, 2)} />
      </div>
      <MessageList messages={prompt.map(toShown)} />
      {tools.length > 0 && (
        <details>
          <summary>{counted(tools.length, 'tool')}</summary>
          {tools.map((tool) => (
            <div key={tool.name} data-part="tool">
              <h4>{tool.name}</h4>
              {'description' in tool && tool.description && <p>{tool.description}</p>}
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

/** Without what is no data. */
const plainRequest = ({ abortSignal: _, ...request }: ModelRequest & { readonly abortSignal?: unknown }) => request

/** The request of a turn, as far as it is known. */
type Asked =
  | { readonly type: 'loading' }
  | { readonly type: 'found'; readonly request: ModelRequest }
  /** The agent does not come to it any more. */
  | { readonly type: 'lost'; readonly reason: string }

/** Makes the request of a turn again, by its agent. Undefined without one. */
function useRequest(agent: Agent | undefined, events: readonly Event[], seq: number): Asked | undefined {
  const [asked, tell] = useState<Asked & { readonly of?: string }>({ type: 'loading' })
  const runId = events[0]?.type === 'started' ? events[0].runId : ''
  const of = `${runId} ${seq}`
  // Later events change nothing of it, and there may be many.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another turn or agent has another request.
  useEffect(() => {
    if (!agent) return
    let isLeft = false
    const say = (found: Asked): void => {
      if (!isLeft) tell({ ...found, of })
    }
    requestAt(agent, events, seq).then(
      (request) => say(request ? { type: 'found', request } : { type: 'lost', reason: '' }),
      (error: unknown) => say({ type: 'lost', reason: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      isLeft = true
    }
  }, [agent, of])
  if (!agent) return undefined
  return asked.of === of ? asked : { type: 'loading' }
}
