import type { Run, RunState } from '@interleave/core'
import { comparedInput } from '@interleave/core/internal'
import type { AllowStore } from '@interleave/core/journal'
import type { Allowed } from '@interleave/core/observe'
import { type ReactNode, useId } from 'react'
import { useProblem } from '../failureWords.ts'
import { Button } from '../parts.tsx'
import { plainText } from '../untrusted/segmentsOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { type Allowing, useAllowed, useAllowedForGood } from '../useAllowed.ts'
import { useRun } from '../useRun.ts'
import { Phrase, useSay } from '../words/words.tsx'
import { callersOf } from './announcements.tsx'

export interface AllowedListProps {
  readonly run: Run | undefined
  /** The store of `allowForGood()`, whose permissions are listed too. */
  readonly store?: AllowStore | undefined
  /** The name of the agent, to list permissions for good without a run. By default the agent of the run. */
  readonly agent?: string | undefined
  /** The heading; “Always allowed” by default. */
  readonly title?: string | undefined
  readonly className?: string | undefined
}

/**
 * Shows the permissions for later calls of a run, and those for good, each with a button that takes it back. Renders
 * nothing if there are none.
 *
 * @example
 * <AllowedList run={run} store={store} />
 */
export function AllowedList({ run, store, agent, title, className }: AllowedListProps): ReactNode {
  const say = useSay()
  const id = useId()
  const ofRun = useRun(run, agentOf)
  const here = useAllowed(run)
  const forGood = useAllowedForGood(store, agent ?? (ofRun || undefined))
  const [failed, showFailed] = useProblem()
  const problem = failed || forGood.problem
  if (here.allowed.length === 0 && forGood.allowed.length === 0 && !problem) return null
  const entries = ({ allowed, disallow }: Allowing, isForGood: boolean): ReactNode => {
    const takeBack = async (taken: string): Promise<void> => {
      showFailed()
      await disallow(taken).catch(showFailed)
    }
    return allowed.map((one) => (
      <Permission key={one.id} allowed={one} isForGood={isForGood} onTakeBack={() => void takeBack(one.id)} />
    ))
  }
  return (
    <section data-interleave="allowed" aria-labelledby={id} className={className}>
      <h3 id={id}>
        <UntrustedText limit={200}>{title ?? say('alwaysAllowed')}</UntrustedText>
      </h3>
      <ul>
        {entries(here, false)}
        {entries(forGood, true)}
      </ul>
      <p role="alert" data-interleave="problem">
        {problem}
      </p>
    </section>
  )
}

const agentOf = ({ agent }: RunState): string => agent

interface PermissionProps {
  readonly allowed: Allowed
  readonly isForGood: boolean
  readonly onTakeBack: () => void
}

function Permission({ allowed: { always, ask, input }, isForGood, onTakeBack }: PermissionProps): ReactNode {
  const id = useId()
  const say = useSay()
  const agent = ask.agent ?? ask.from?.agent
  const via = ask.from && plainText(callersOf(ask.from))
  return (
    <li>
      <p id={id}>
        <PermissionText {...{ ask, always, input, isForGood }} />
        {agent !== undefined && (
          <small>
            {' '}
            {via ? (
              <Phrase of="inAgentVia" agent={<UntrustedText limit={200}>{agent}</UntrustedText>} via={via} />
            ) : (
              <Phrase of="inAgent" agent={<UntrustedText limit={200}>{agent}</UntrustedText>} />
            )}
          </small>
        )}
      </p>
      <Button part="take-back" aria-describedby={id} onClick={onTakeBack}>
        {say('takeBack')}
      </Button>
    </li>
  )
}

interface PermissionTextProps extends Omit<Allowed, 'id' | 'at'> {
  readonly isForGood: boolean
}

function PermissionText({ ask, always, input, isForGood }: PermissionTextProps): ReactNode {
  const tool = (
    <strong>
      <UntrustedText limit={100}>{ask.tool}</UntrustedText>
    </strong>
  )
  if (always === 'tool') return <Phrase of={isForGood ? 'allowedAnyForGood' : 'allowedAny'} tool={tool} />
  const shown = <UntrustedText limit={200}>{JSON.stringify(comparedInput(ask, input))}</UntrustedText>
  return <Phrase of={isForGood ? 'allowedWithForGood' : 'allowedWith'} tool={tool} input={shown} />
}
