import {
  type Ask,
  type Run,
  type RunState,
  type ScratchpadEntry,
  type Signal,
  scratchpad,
  type Usage,
} from '@interleave/core'
import { type ChatMessage, messagesOf } from '@interleave/core/observe'
import { useCallback } from 'react'
import { useRun } from './useRun.ts'

/**
 * Returns the chat messages of a run, oldest first: user messages, texts including the streaming one, tool calls,
 * questions and their answers. A finished message keeps its identity, so a memoised component renders only while its
 * message grows.
 *
 * @example
 * const messages = useMessages(run)
 * return messages.map((message) => <Message key={message.key} message={message} />)
 */
export function useMessages(run: Run | undefined): readonly ChatMessage[] {
  const select = useCallback((state: RunState) => (run ? messagesOf(run, state) : none), [run])
  return useRun(run, select)
}

const none: readonly ChatMessage[] = []

/** Thoughts, actions and observations of a run, oldest first. Entries of the past keep their identity. */
export const useScratchpad = (run: Run | undefined): readonly ScratchpadEntry[] => useRun(run, scratchpad)

/** Tokens and cost of a run, in total and for each turn that its history still holds. */
export interface RunUsage {
  readonly total: Usage
  readonly iterations: readonly IterationUsage[]
}
export interface IterationUsage {
  readonly iteration: number
  readonly usage: Usage
  /** Duration of the model call, in milliseconds. */
  readonly ms: number
}

/** The same object until the next turn is finished. */
export const useUsage = (run: Run | undefined): RunUsage => useRun(run, usageOf)

const perTotal = new WeakMap<Usage, RunUsage>()

export function usageOf(state: RunState): RunUsage {
  const { usage: total } = state
  // Each turn adds up a new total, so the total tells whether there is anything new.
  const known = perTotal.get(total)
  if (known) return known
  const made: RunUsage = { total, iterations: scratchpad(state).flatMap(toIteration) }
  perTotal.set(total, made)
  return made
}

function toIteration(entry: ReturnType<typeof scratchpad>[number]): IterationUsage[] {
  if (entry.type !== 'thought') return []
  const { iteration, usage, ms } = entry
  return [{ iteration, usage, ms }]
}

/**
 * The status of a run. `idle`: no run. `waiting`: it waits for a reply or a limit extension. `resting`: it has
 * answered, failed or was stopped.
 */
export type RunStatus<Output = unknown> =
  | { readonly status: 'idle'; readonly signal?: undefined }
  | { readonly status: 'working'; readonly signal?: undefined }
  | { readonly status: 'waiting'; readonly signal: Extract<Signal<Output>, { type: WaitingType }> }
  | { readonly status: 'resting'; readonly signal: Exclude<Signal<Output>, { type: WaitingType }> }

type WaitingType = 'inputNeeded' | 'limitReached'

/** Returns the status of a run and, if it has paused or finished, its signal. Comparing `status` narrows `signal`. */
export const useStatus = <Output>(run: Run<Output> | undefined): RunStatus<Output> =>
  // The output of an answer has passed the agent's own schema.
  useRun(run, statusOf) as RunStatus<Output>

const idle: RunStatus = Object.freeze({ status: 'idle' })
const working: RunStatus = Object.freeze({ status: 'working' })
const perSignal = new WeakMap<Signal, RunStatus>()

export function statusOf({ seq, rest }: RunState): RunStatus {
  if (!rest) return seq === 0 ? idle : working
  const known = perSignal.get(rest)
  if (known) return known
  const made = toStatus(rest)
  perSignal.set(rest, made)
  return made
}

const toStatus = (signal: Signal): RunStatus =>
  signal.type === 'inputNeeded' || signal.type === 'limitReached'
    ? { status: 'waiting', signal }
    : { status: 'resting', signal }

type SignalOf<Output, Type extends Signal['type']> = Extract<Signal<Output>, { readonly type: Type }>

/**
 * Returns the signal of a paused or finished run, or undefined while it runs. With a type, only a signal of that type.
 *
 * @example
 * const failed = useSignal(run, 'failed')
 * if (failed) return <p role="alert">{failed.error.message}</p>
 */
export function useSignal<Output, Type extends Signal['type'] = Signal['type']>(
  run: Run<Output> | undefined,
  type?: Type,
): SignalOf<Output, Type> | undefined {
  const select = useCallback(
    ({ rest }: RunState) => (type === undefined || rest?.type === type ? rest : undefined),
    [type],
  )
  // The output of an answer has passed the agent's own schema.
  return useRun(run, select) as SignalOf<Output, Type> | undefined
}

/** The open questions of a run, oldest first. */
export const useAsks = (run: Run | undefined): readonly Ask[] => useRun(run, asksOf)

export const asksOf = (state: RunState): readonly Ask[] => state.asks

/** The part of the streaming turn that has arrived; undefined between turns. */
export type Draft = NonNullable<RunState['draft']>

export const useDraft = (run: Run | undefined): Draft | undefined => useRun(run, draftOf)

export const draftOf = (state: RunState): Draft | undefined => state.draft
