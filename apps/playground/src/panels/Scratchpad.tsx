import type { Run } from '@interleave/core'
import type { ScratchpadEntry } from '@interleave/core/observe'
import { useDraft, useScratchpad, useSignal } from '@interleave/react'
import { useMemo } from 'react'
import { JsonValue } from '../parts/JsonValue.tsx'
import { LongItems } from '../parts/LongItems.tsx'
import { Markdown } from '../parts/Markdown.tsx'
import { RenderBoundary } from '../parts/RenderBoundary.tsx'
import { count, duration, toolWords } from '../parts/wording.ts'
import './scratchpad.css'

/** Thoughts, actions and observations as they come, and the one that is being written. */
export function Scratchpad({ run }: { run: Run }) {
  const entries = useScratchpad(run)
  const isAnswered = useSignal(run)?.type === 'answer'
  const cards = useMemo(
    () =>
      entries.map((entry, index): Card => {
        const isAnswer = isAnswered && index === entries.length - 1 && entry.type === 'thought'
        return { entry, title: isAnswer ? 'Answer' : titleOf(entry), facts: facts(entry) }
      }),
    [entries, isAnswered],
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <section className="scratchpad-scroller" aria-label="Thoughts, actions and observations" tabIndex={0}>
      <ol className="scratchpad long-list" aria-label="Scratchpad">
        <LongItems items={cards} keyOf={keyOf} draw={EntryCard} isSame={isSameCard} noun="entries" />
        <DraftCard run={run} />
      </ol>
    </section>
  )
}

/** An entry, and what it is. */
interface Card {
  readonly entry: ScratchpadEntry
  readonly title: string
  readonly facts: string
}

const isSameCard = (a: Card, b: Card): boolean => a.entry === b.entry && a.title === b.title

const keyOf = ({ entry }: Card): string => `${entry.type} ${'call' in entry ? entry.call : entry.iteration}`

function EntryCard({ entry, title, facts }: Card) {
  const { type, iteration } = entry
  return (
    <li className={`card ${type}`} data-failed={isFailed(entry)}>
      <h3>
        {title} <span className="card-place">turn {iteration}</span>
        <span className="card-facts">{facts}</span>
      </h3>
      <RenderBoundary name="This entry" of={entry}>
        <EntryBody entry={entry} />
      </RenderBoundary>
    </li>
  )
}

/** A call that the user refused did not fail. */
const isFailed = (entry: ScratchpadEntry): boolean => 'error' in entry && entry.error?.code !== 'tool_refused'

const titles = { thought: 'Thought', action: 'Action', observation: 'Observation' } as const

const titleOf = (entry: ScratchpadEntry): string =>
  entry.type === 'thought' && entry.error ? 'Error' : titles[entry.type]

function facts(entry: ScratchpadEntry): string {
  if (entry.type === 'action') return ''
  if (entry.type === 'observation') return duration(entry.ms)
  const { inputTokens, outputTokens } = entry.usage
  return `${duration(entry.ms)} · ${count(inputTokens)} in, ${count(outputTokens)} out`
}

function EntryBody({ entry }: { entry: ScratchpadEntry }) {
  switch (entry.type) {
    case 'thought':
      return (
        <>
          {entry.reasoning && <p className="reasoning">{entry.reasoning}</p>}
          {entry.text && <Markdown>{entry.text}</Markdown>}
          {!entry.reasoning && !entry.text && !entry.error && <p className="reasoning">No words, only an action.</p>}
          {entry.error && <p className="card-error">{entry.error.message}</p>}
        </>
      )
    case 'action':
      return (
        <>
          <p className="card-tool">{toolWords(entry.tool)}</p>
          <JsonValue value={entry.input} label={`Input of ${entry.tool}`} />
        </>
      )
    case 'observation':
      return entry.error ? (
        <p className="card-error">{entry.error.message}</p>
      ) : (
        <JsonValue value={entry.output} label={`Output of ${entry.tool}`} />
      )
  }
}

function DraftCard({ run }: { run: Run }) {
  const draft = useDraft(run)
  // The progress of a tool is not a thought.
  if (!draft || Object.keys(draft.progress).length > 0) return null
  const inputs = Object.entries(draft.inputs)
  return (
    <>
      <li className="card thought" aria-busy="true">
        <h3>
          Thought <span className="card-place">turn {draft.iteration}</span>
        </h3>
        {draft.reasoning && <p className="reasoning">{draft.reasoning}</p>}
        {draft.text ? <Markdown>{draft.text}</Markdown> : !draft.reasoning && <p className="thinking">Thinking</p>}
      </li>
      {inputs.map(([id, { tool, text }]) => (
        <li key={id} className="card action" aria-busy="true">
          <h3>
            Action <span className="card-place">turn {draft.iteration}</span>
          </h3>
          <p className="card-tool">{toolWords(tool)}</p>
          <code>{text}</code>
        </li>
      ))}
    </>
  )
}
