import type { Json, Run } from '@interleave/core'
import type { CallMessage, CallOf, ToolNames } from '@interleave/core/observe'
import type { ComponentType, ReactNode } from 'react'
import { useFailureWords } from '../failureWords.ts'
import { ErrorBoundary } from '../parts.tsx'
import { plainJson } from '../untrusted/segmentsOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { useSay } from '../words/words.tsx'

/** The props of a component for the calls of one tool, with the types of the agent's tool. */
export type ToolCardProps<Of = unknown, Name extends ToolNames<Of> = ToolNames<Of>> = CardProps<CallOf<Of, Name>>

interface CardProps<Message> {
  readonly message: Message
  /** The run that makes the call, for example to answer its questions. */
  readonly run: Run | undefined
}

/** Your components by tool name. Calls of other tools get the built-in card. */
export type ToolCards<Of = unknown> = { readonly [Name in ToolNames<Of>]?: ComponentType<ToolCardProps<Of, Name>> }

export interface ToolCallProps<Of = unknown> {
  readonly message: CallMessage<Of>
  readonly run?: Run | undefined
  readonly tools?: ToolCards<Of> | undefined
}

/**
 * Shows a tool call: with your component for its tool, or else with a card that shows its state, input, output and error.
 * An error of your component is contained: the built-in card replaces it until the call changes.
 *
 * @example
 * <ToolCall message={message} tools={{ bookTable: BookingCard }} />
 */
export function ToolCall<Of = unknown>({ message, run, tools }: ToolCallProps<Of>): ReactNode {
  const call = message as CallMessage
  const own: ToolCards = (tools ?? {}) as ToolCards
  const Card = Object.hasOwn(own, call.tool) ? own[call.tool] : undefined
  if (!Card) return <DefaultCard message={call} />
  return (
    // Each change of the call renders the card again, since it may fail only on a partial input.
    <ErrorBoundary of={call} fallback={<DefaultCard message={call} />}>
      <Card message={call} run={run} />
    </ErrorBoundary>
  )
}

const stateKeys = {
  writing: 'callWriting',
  working: 'callWorking',
  waiting: 'callWaiting',
  done: 'callDone',
  refused: 'callRefused',
  failed: 'callFailed',
} as const satisfies { readonly [State in CallMessage['state']]: string }

/** The reason of a refusal that names none: the state says it already. */
const refused = 'Refused.'

/**
 * Shows a call of any tool: its name and state, its reason if it failed, and its input and output for users who open
 * it.
 */
function DefaultCard({ message }: { readonly message: CallMessage }): ReactNode {
  const failureWords = useFailureWords()
  const { tool, state, permission, input, inputText, progress, output, error } = message
  const say = useSay()
  const shownInput = input ?? inputText
  const shownState = say(stateKeys[state])
  const result = state === 'done' ? output : progress
  return (
    <details data-interleave="card" data-state={state}>
      <summary>
        <strong>
          <UntrustedText limit={64}>{tool}</UntrustedText>
        </strong>{' '}
        <small>{permission === undefined ? shownState : say('callAllowed', { state: shownState })}</small>
        {error && error.message !== refused && (
          <span data-interleave="reason">
            <UntrustedText limit={300}>{failureWords(error)}</UntrustedText>
          </span>
        )}
      </summary>
      {shownInput !== undefined && <Shown title={say('input')} value={shownInput} />}
      {result !== undefined && <Shown title={say(state === 'done' ? 'output' : 'soFar')} value={result as Json} />}
    </details>
  )
}

function Shown({ title, value }: { readonly title: string; readonly value: Json }): ReactNode {
  return (
    <div data-interleave="shown">
      <h4>{title}</h4>
      <pre>
        <UntrustedText limit={2_000}>{typeof value === 'string' ? value : plainJson(value)}</UntrustedText>
      </pre>
    </div>
  )
}
