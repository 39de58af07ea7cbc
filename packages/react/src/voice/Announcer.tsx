import type { Run } from '@interleave/core'
import type { ChatMessage } from '@interleave/core/observe'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useDrawEffect } from '../effects.ts'
import { useFailureWords } from '../failureWords.ts'
import { unseen } from '../parts.tsx'
import { useAsks, useMessages, useStatus } from '../selections.ts'
import { plainText } from '../untrusted/segmentsOf.ts'
import { type Say, useSay, useWords } from '../words/words.tsx'
import { type Announcement, Narrator } from './Narrator.ts'
import { News } from './News.ts'
import { Silence, type Waiting, type WorkingCall } from './Silence.ts'
import { takeStarted } from './startedRuns.ts'

export interface AnnouncerProps {
  readonly run: Run | undefined
}

/**
 * Says to screen readers what the agent does: each finished sentence of its text once, that it works while nothing is
 * said, tools that fail, and that it was stopped. Invisible. `SignalOutlet` has one; use it in a page without an outlet,
 * and where `announce={false}`.
 *
 * Messages from before the run was opened are not said. The list of messages needs no `aria-live`: a reader would say
 * each text from its beginning whenever it grows.
 *
 * @example
 * <Announcer run={run} />
 */
export function Announcer({ run }: AnnouncerProps): ReactNode {
  const [news] = useState(() => new News())
  return (
    <>
      <NewsRegion news={news} />
      <Narration run={run} news={news} />
    </>
  )
}

interface NewsRegionProps {
  readonly news: News
  /** True for the region inside of the dialog. */
  readonly isInModal?: boolean
}

/**
 * Holds the live region of the page, or that of a modal dialog: the rest of the page is not read while one is open. The
 * region is in a closed shadow tree, which screen readers read and which a test of the page does not see: it would find
 * each answer twice.
 */
export function NewsRegion({ news, isInModal = false }: NewsRegionProps): ReactNode {
  const host = useRef<HTMLDivElement>(null)
  // Before the effects that add news.
  useDrawEffect(() => {
    const { current } = host
    return current ? news.showIn(current, isInModal) : undefined
  }, [news, isInModal])
  return <div ref={host} data-interleave="news" style={unseen} />
}

interface NarrationProps {
  readonly run: Run | undefined
  readonly news: News
}

/** Returns the messages that a user knows when a run appears: none but its history, if it was started here. */
const knownOf = (run: Run | undefined, messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  takeStarted(run) ? messages.filter(({ key }) => key.startsWith('seeded/')) : messages

/** Everything that was said of a run. */
interface Told {
  readonly run: Run | undefined
  readonly narrator: Narrator
  readonly silence: Silence
}

/** Adds to the news what happens in a run. Renders nothing. */
export function Narration({ run, news }: NarrationProps): ReactNode {
  const messages = useMessages(run)
  const isWorking = useStatus(run).status === 'working'
  const hasAsk = useAsks(run).length > 0
  const say = useSay()
  const { locale } = useWords()
  const wordsOf = useFailureWords()
  const told = useRef<Told>(undefined)
  const calls = useMemo(() => workingCalls(messages), [messages])

  useEffect(() => {
    const known = told.current?.run === run ? told.current : undefined
    const narrator = known?.narrator ?? new Narrator(knownOf(run, messages))
    const silence = known?.silence ?? new Silence()
    told.current = { run, narrator, silence }
    silence.update(isWorking && !hasAsk, calls, Date.now())
    for (const announcement of narrator.next(messages, locale)) {
      news.add(wordsFor(announcement, say, wordsOf))
      silence.spoke(Date.now())
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (): void => {
      const due = silence.next(calls)
      if (!due) return
      const remind = (): void => {
        news.add(wordsWhile(due.waiting, say))
        silence.said(due, Date.now())
        wait()
      }
      timer = setTimeout(remind, Math.max(0, due.at - Date.now()))
    }
    wait()
    return () => clearTimeout(timer)
  }, [run, messages, calls, isWorking, hasAsk, locale, say, wordsOf, news])
  return null
}

const workingCalls = (messages: readonly ChatMessage[]): readonly WorkingCall[] =>
  messages.filter((message) => message.type === 'call' && message.state === 'working') as readonly (ChatMessage &
    WorkingCall)[]

function wordsFor(announcement: Announcement, say: Say, wordsOf: ReturnType<typeof useFailureWords>): string {
  switch (announcement.type) {
    case 'text': {
      const { spoken } = announcement
      return typeof spoken === 'string' ? plainText(spoken) : say('codeLines', { count: spoken.codeLines })
    }
    case 'failed':
      return say('toolFailed', { tool: nameOf(announcement.tool), reason: plainText(wordsOf(announcement.error)) })
    case 'refused':
      return say('toolRefused', { tool: nameOf(announcement.tool) })
    case 'stopped':
      return say('stopped')
  }
}

function wordsWhile(waiting: Waiting, say: Say): string {
  if (waiting.type === 'tool') return say('toolWorking', { tool: nameOf(waiting.tool) })
  return say(waiting.type === 'still' ? 'stillWorking' : 'agentWorking')
}

const nameOf = (tool: string): string => plainText(tool).slice(0, 100)
