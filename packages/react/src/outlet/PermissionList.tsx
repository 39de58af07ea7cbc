import type { Run, RunState } from '@interleave/core'
import { comparedInput } from '@interleave/core/internal'
import type { PermissionStore } from '@interleave/core/journal'
import type { Permission } from '@interleave/core/observe'
import { type ReactNode, useId } from 'react'
import { useProblem } from '../failureWords.ts'
import { Button } from '../parts.tsx'
import { plainText } from '../untrusted/segmentsOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { type Permissions, usePermissions, usePersistentPermissions } from '../usePermissions.ts'
import { useRun } from '../useRun.ts'
import { Phrase, useSay } from '../words/words.tsx'
import { callersOf } from './announcements.tsx'

export interface PermissionListProps {
  readonly run: Run | undefined
  /** The store of `rememberPermissions()`, whose permissions are listed too. */
  readonly store?: PermissionStore | undefined
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
 * <PermissionList run={run} store={store} />
 */
export function PermissionList({ run, store, agent, title, className }: PermissionListProps): ReactNode {
  const say = useSay()
  const id = useId()
  const ofRun = useRun(run, agentOf)
  const here = usePermissions(run)
  const persistent = usePersistentPermissions(store, agent ?? (ofRun || undefined))
  const [failed, showFailed] = useProblem()
  const problem = failed || persistent.problem
  if (here.permissions.length === 0 && persistent.permissions.length === 0 && !problem) return null
  const entries = ({ permissions, revoke }: Permissions, isPersistent: boolean): ReactNode => {
    const takeBack = async (taken: string): Promise<void> => {
      showFailed()
      await revoke(taken).catch(showFailed)
    }
    return permissions.map((one) => (
      <PermissionRow
        key={one.id}
        permission={one}
        isPersistent={isPersistent}
        onTakeBack={() => void takeBack(one.id)}
      />
    ))
  }
  return (
    <section data-interleave="permissions" aria-labelledby={id} className={className}>
      <h3 id={id}>
        <UntrustedText limit={200}>{title ?? say('alwaysAllowed')}</UntrustedText>
      </h3>
      <ul>
        {entries(here, false)}
        {entries(persistent, true)}
      </ul>
      <p role="alert" data-interleave="problem">
        {problem}
      </p>
    </section>
  )
}

const agentOf = ({ agent }: RunState): string => agent

interface PermissionProps {
  readonly permission: Permission
  readonly isPersistent: boolean
  readonly onTakeBack: () => void
}

function PermissionRow({ permission: { scope, ask, input }, isPersistent, onTakeBack }: PermissionProps): ReactNode {
  const id = useId()
  const say = useSay()
  const agent = ask.agent ?? ask.from?.agent
  const via = ask.from && plainText(callersOf(ask.from))
  return (
    <li>
      <p id={id}>
        <PermissionText {...{ ask, scope, input, isPersistent }} />
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

interface PermissionTextProps extends Omit<Permission, 'id' | 'at'> {
  readonly isPersistent: boolean
}

function PermissionText({ ask, scope, input, isPersistent }: PermissionTextProps): ReactNode {
  const tool = (
    <strong>
      <UntrustedText limit={100}>{ask.tool}</UntrustedText>
    </strong>
  )
  if (scope === 'tool') return <Phrase of={isPersistent ? 'allowedAnyForGood' : 'allowedAny'} tool={tool} />
  const shown = <UntrustedText limit={200}>{JSON.stringify(comparedInput(ask, input))}</UntrustedText>
  return <Phrase of={isPersistent ? 'allowedWithForGood' : 'allowedWith'} tool={tool} input={shown} />
}
