import { PermissionList } from '@interleave/react'
import { plainText } from '@interleave/react/untrusted'
import { useEffect, useRef } from 'react'
import { StorageQueries } from '../history/StorageQueries.tsx'
import { Dialog } from '../parts/Dialog.tsx'
import { isFocusLost } from '../parts/focus.ts'
import { own } from '../parts/objects.ts'
import { counted } from '../parts/wording.ts'
import { runLink } from '../run/address.ts'
import { usePage } from '../run/usePlayground.ts'
import { type Permissions, usePermissions } from './usePermissions.ts'
import './permissions.css'

/** The user's permissions for later calls, in all runs and for good, without opening any of them. */
export function PermissionsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Permissions" isOpen onClose={onClose}>
      <StorageQueries>
        <Found onClose={onClose} />
      </StorageQueries>
    </Dialog>
  )
}

function Found({ onClose }: { onClose: () => void }) {
  const { data, error } = usePermissions()
  return (
    <div className="permissions">
      {error && <p role="alert">The permissions could not be read: {error.message}</p>}
      {!data && !error && <p className="thinking">Looking</p>}
      {data && <Lists permissions={data} onClose={onClose} />}
    </div>
  )
}

function Lists({ permissions: { store, agents, runs }, onClose }: { permissions: Permissions; onClose: () => void }) {
  const words = useRef<HTMLParagraphElement>(null)
  // The button that took a permission back is gone, and the focus with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: one agent less is a reason to look.
  useEffect(() => {
    if (isFocusLost()) words.current?.focus()
  }, [agents, runs])
  return (
    <>
      <p ref={words} tabIndex={-1}>
        {agents.length + runs.length === 0
          ? 'Every call that needs your approval asks you. Where a tool lets you, an approval can count for later calls, in its run or for good. You see these here.'
          : 'These calls do not ask you again.'}
      </p>
      {agents.map(({ name, title }) => (
        <PermissionList key={name} run={undefined} agent={name} store={store} title={`For good: ${title}`} />
      ))}
      {runs.length > 0 && <OfRuns runs={runs} onClose={onClose} />}
    </>
  )
}

function OfRuns({ runs, onClose }: Pick<Permissions, 'runs'> & { onClose: () => void }) {
  const marks = usePage((page) => page.marks)
  return (
    <section aria-labelledby="permissions-of-runs">
      <h3 id="permissions-of-runs">In one run</h3>
      <ul>
        {runs.map(({ runId, title, count }) => (
          <li key={runId}>
            <a href={runLink(runId)} dir="auto" onClick={onClose}>
              {plainText(own(marks, runId)?.name ?? title) || 'Untitled'}
            </a>
            <small>{counted(count, 'permission')}, to take back there</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
