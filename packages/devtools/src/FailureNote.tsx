import type { Failure } from '@interleave/core'
import { escapeHidden } from '@interleave/react/internal'
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'

/** An error, and whether a retry may help. */
export const FailureNote = ({ error }: { error: Failure }): ReactNode => (
  <div data-part="failure">
    <Icon name="failed" /> <strong>{error.code}</strong> {escapeHidden(error.message)}
    {error.status !== undefined && ` (HTTP ${error.status})`}
    {error.retryable && ' It may succeed later.'}
  </div>
)
