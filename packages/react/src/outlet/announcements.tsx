import type { Ask, Run, RunState } from '@interleave/core'
import { openCalls } from '@interleave/core/internal'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { plainText } from '../untrusted/segmentsOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { useRun } from '../useRun.ts'

interface AnnouncementOptions {
  readonly run: Run | undefined
  readonly isOpen: boolean
  readonly shortcut: string | false
}

/** Records each reply that is sent here. Returns a function that undoes this if the reply was rejected. */
export type OnReply = (ask: Ask) => () => void

/**
 * Returns the text for screen readers about a question that did not open by itself, or closed without a reply from
 * here.
 */
export function useAnnouncement(
  asks: readonly Ask[],
  { run, isOpen, shortcut }: AnnouncementOptions,
): readonly [text: string, onReply: OnReply] {
  const [text, announce] = useState('')
  const before = useRef<{ readonly run: Run | undefined; readonly asks: readonly Ask[] }>({ run, asks: [] })
  const replies = useRef(new Set<{ readonly ask: Ask }>())
  const announced = useRef<Ask>(undefined)
  const repliedIds = useRef(new Set<string>())

  useEffect(() => {
    const ids = new Set<string>()
    repliedIds.current = ids
    return run?.subscribe((event) => void (event.type === 'replied' && ids.add(event.ask)))
  }, [run])

  useEffect(() => {
    const [ask] = asks
    const last = before.current
    before.current = { run, asks }
    const replied = [...replies.current].map((sent) => sent.ask)
    const isClosed = (ask: Ask): boolean => !asks.some(({ id }) => id === ask.id) && !replied.includes(ask)
    const closed = last.run === run ? last.asks.filter(isClosed) : []
    if (closed.length > 0) {
      const isAnswered = closed.some(({ id }) => repliedIds.current.has(id))
      // A question also closes if its run was stopped, or its tool took too long.
      const words = isAnswered ? 'The question was answered elsewhere.' : 'The question is no longer open.'
      announce(ask ? `${words} Here is the next one.` : words)
    } else if (ask && run && !isOpen && announced.current !== ask) {
      announced.current = ask
      const how = shortcut ? ` (${shortcut} opens it)` : ''
      announce(`${plainText(askerOf(run.state, ask))} asks: ${plainText(ask.prompt).slice(0, 200)}${how}`)
    } else if (isOpen || last.run !== run) announce('')
  }, [asks, isOpen, run, shortcut])

  const onReply: OnReply = (ask) => {
    // If a question is replied to twice, only the second reply is undone.
    const sent = { ask }
    replies.current.add(sent)
    return () => void replies.current.delete(sent)
  }
  return [text, onReply]
}

interface OriginProps {
  readonly id: string
  readonly run: Run
  readonly ask: Ask
}

/** Names the asking agent and tool, so that users do not mistake a tool's question for the app's. */
export function Origin({ id, run, ask }: OriginProps): ReactNode {
  const select = useCallback((state: RunState) => askerOf(state, ask), [ask])
  const asker = useRun(run, select)
  return (
    <p id={id} data-interleave="origin" title={ask.from && `Run ${ask.from.runId}`}>
      Asked by <UntrustedText limit={200}>{asker}</UntrustedText>
    </p>
  )
}

/** Returns the tools that called a child run: several agents may have the same name. */
export function callersOf({ agent, via = [] }: NonNullable<Ask['from']>): string {
  const names = via.join(' › ')
  return names === '' || names === agent ? '' : ` (${names})`
}

/** Returns the asking agent, with its tool, or with the agent that called it; or the service that asks through it. */
function askerOf(state: RunState, ask: Ask): string {
  if (ask.asker !== undefined) return `${ask.asker}, for ${state.agent}`
  const agent = ask.kind === 'approval' ? ask.agent : undefined
  if (ask.from) return `${agent ?? ask.from.agent}${callersOf(ask.from)}, working for ${state.agent}`
  const tool = openCalls(state).find(({ key }) => key === ask.call)?.name
  return tool ? `${agent ?? state.agent}, using ${tool}` : state.agent
}
