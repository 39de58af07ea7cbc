import type { Run } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import type { Allowed } from '@interleave/core/observe'
import { type ReactNode, useId, useState } from 'react'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { useAllowed } from '../useAllowed.ts'

export interface AllowedListProps {
  readonly run: Run | undefined
  readonly className?: string
}

/**
 * Shows what the user has allowed for later calls of a run, each with a button that takes it back. Nothing without any.
 *
 * @example
 * <AllowedList run={run} />
 */
export function AllowedList({ run, className }: AllowedListProps): ReactNode {
  const id = useId()
  const { allowed, disallow } = useAllowed(run)
  const [problem, showProblem] = useState('')
  if (allowed.length === 0) return null
  const takeBack = async (taken: string): Promise<void> => {
    showProblem('')
    await disallow(taken).catch((error) => showProblem(messageOf(error)))
  }
  return (
    <section data-interleave="allowed" aria-labelledby={id} className={className}>
      <h3 id={id}>Always allowed</h3>
      <ul>
        {allowed.map((one) => (
          <Permission key={one.id} allowed={one} onTakeBack={() => void takeBack(one.id)} />
        ))}
      </ul>
      <p role="alert" data-interleave="problem">
        {problem}
      </p>
    </section>
  )
}

interface PermissionProps {
  readonly allowed: Allowed
  readonly onTakeBack: () => void
}

function Permission({ allowed: { always, ask, input }, onTakeBack }: PermissionProps): ReactNode {
  const id = useId()
  return (
    <li>
      <p id={id}>
        <strong>
          <UntrustedText limit={100}>{ask.tool}</UntrustedText>
        </strong>{' '}
        {always === 'tool' ? (
          'with any input'
        ) : (
          <>
            with <UntrustedText limit={200}>{JSON.stringify(comparedOf(ask, input))}</UntrustedText>
          </>
        )}
        {ask.from && (
          <small>
            {' '}
            in the agent <UntrustedText limit={100}>{ask.from.agent}</UntrustedText>
          </small>
        )}
      </p>
      <button type="button" data-interleave="take-back" aria-describedby={id} onClick={onTakeBack}>
        Take back
      </button>
    </li>
  )
}

/** The part of an input that has to be the same. */
function comparedOf({ allowBy }: Allowed['ask'], input: Allowed['input']): Allowed['input'] {
  if (!allowBy || typeof input !== 'object' || input === null || Array.isArray(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([key]) => allowBy.includes(key)))
}
