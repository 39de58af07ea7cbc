import type { Ask, Run, RunState } from '@interleave/core'
import { openCalls } from '@interleave/core/internal'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useLatest } from '../effects.ts'
import { plainText } from '../untrusted/segmentsOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { useRun } from '../useRun.ts'
import { Phrase, type Say, useSay } from '../words/words.tsx'
import { askIn } from './askIn.ts'

interface AnnouncementOptions {
  readonly run: Run | undefined
  readonly isOpen: boolean
  /** True while a modal dialog shows a question: a screen reader reads nothing outside of it. */
  readonly isModal: boolean
  readonly shortcut: string | false
}

/** A text for screen readers, in the page or in the modal dialog that was open then. */
export interface Announced {
  readonly text: string
  readonly isInModal: boolean
}

/** Milliseconds after which a question that has not opened by itself is announced. */
const openingMs = 100

/** Records each reply that is sent here. Returns a function that undoes this if the reply was rejected. */
export type OnReply = (ask: Ask) => () => void

/**
 * Returns the text for screen readers about a question that did not open by itself, or closed without a reply from
 * here.
 */
export function useAnnouncement(
  asks: readonly Ask[],
  { run, isOpen, isModal, shortcut }: AnnouncementOptions,
): readonly [announced: Announced, onReply: OnReply] {
  const say = useSay()
  const [announced, setAnnounced] = useState<Announced>({ text: '', isInModal: false })
  const modal = useLatest(isModal)
  const announce = useCallback((text: string) => setAnnounced({ text, isInModal: modal.current }), [modal])
  const before = useRef<{ readonly run: Run | undefined; readonly asks: readonly Ask[] }>({ run, asks: [] })
  const replies = useRef(new Set<{ readonly ask: Ask }>())
  const known = useRef<Ask>(undefined)
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
      announce(
        isAnswered
          ? say(ask ? 'answeredElsewhereNext' : 'answeredElsewhere')
          : say(ask ? 'noLongerOpenNext' : 'noLongerOpen'),
      )
    } else if (last.run !== run) announce('')
    if (!ask || !run || isOpen || known.current === ask) return undefined
    // It may open by itself in a moment.
    const timer = setTimeout(() => {
      known.current = ask
      const slots = {
        asker: askerIn(say, askerOf(run.state, ask)),
        question: plainText(askIn(say, ask).prompt).slice(0, 200),
      }
      announce(shortcut ? say('asksWithKeys', { ...slots, keys: shortcut }) : say('asks', slots))
    }, openingMs)
    return () => clearTimeout(timer)
  }, [asks, isOpen, run, shortcut, say, announce])

  const onReply: OnReply = (ask) => {
    // If a question is replied to twice, only the second reply is undone.
    const sent = { ask }
    replies.current.add(sent)
    return () => void replies.current.delete(sent)
  }
  return [announced, onReply]
}

interface OriginProps {
  readonly id: string
  readonly run: Run
  readonly ask: Ask
}

/** Names the asking agent and tool, so that users do not mistake a tool's question for the app's. */
export function Origin({ id, run, ask }: OriginProps): ReactNode {
  const say = useSay()
  const select = useCallback((state: RunState) => askerOf(state, ask), [ask])
  const asker = useRun(run, select, isSame)
  return (
    <p id={id} data-interleave="origin" title={ask.from && say('inRun', { id: ask.from.runId })}>
      <Phrase of="askedBy" asker={<AskerView {...asker} />} />
    </p>
  )
}

const isSame = (a: Asker, b: Asker): boolean =>
  a.agent === b.agent && a.tool === b.tool && a.via === b.via && a.boss === b.boss && a.service === b.service

/** Returns the tools that called a child run: several agents may have the same name. Empty if the agent's name says it. */
export function callersOf({ agent, via = [] }: NonNullable<Ask['from']>): string {
  const names = via.join(' › ')
  return names === agent ? '' : names
}

/** The asking agent, with its tool, or with the agent that called it; or the service that asks through it. */
interface Asker {
  readonly agent: string
  readonly tool?: string | undefined
  readonly via?: string
  readonly boss?: string
  readonly service?: string
}

function askerOf(state: RunState, ask: Ask): Asker {
  if (ask.asker !== undefined) return { agent: state.agent, service: ask.asker }
  const own = ask.kind === 'approval' ? ask.agent : undefined
  if (ask.from) return { agent: own ?? ask.from.agent, via: callersOf(ask.from), boss: state.agent }
  const tool = openCalls(state).find(({ key }) => key === ask.call)?.name
  return { agent: own ?? state.agent, tool }
}

function AskerView({ agent, tool, via, boss, service }: Asker): ReactNode {
  const named = (name: string): ReactNode => <UntrustedText limit={200}>{name}</UntrustedText>
  if (service !== undefined) return <Phrase of="askingFor" service={named(service)} agent={named(agent)} />
  if (boss !== undefined)
    return via ? (
      <Phrase of="workingForVia" agent={named(agent)} via={named(via)} boss={named(boss)} />
    ) : (
      <Phrase of="workingFor" agent={named(agent)} boss={named(boss)} />
    )
  return tool ? <Phrase of="usingTool" agent={named(agent)} tool={named(tool)} /> : named(agent)
}

/** Returns the asker as text. */
function askerIn(say: Say, asker: Asker): string {
  const [agent, tool, via, boss, service] = [asker.agent, asker.tool, asker.via, asker.boss, asker.service].map(
    (name) => plainText(name ?? ''),
  ) as [string, string, string, string, string]
  if (service) return say('askingFor', { service, agent })
  if (boss) return via ? say('workingForVia', { agent, via, boss }) : say('workingFor', { agent, boss })
  return tool ? say('usingTool', { agent, tool }) : agent
}
