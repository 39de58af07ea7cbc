import { plainJson } from '@interleave/react'
import { escapeHidden } from '@interleave/react/internal'
import type { ReactNode } from 'react'
import { CopyButton } from './CopyButton.tsx'

/** A value to read and to copy: text as it is, everything else as JSON. What does not show is written out. */
export function JsonText({ value, label }: { value: unknown; label: string }): ReactNode {
  const isText = typeof value === 'string'
  return (
    <div data-part="value">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0} data-kind={isText ? 'text' : 'json'}>
        {isText ? escapeHidden(value) : plainJson(value)}
      </section>
      <CopyButton label={`Copy ${label}`} text={() => (isText ? value : JSON.stringify(value, null, 2))} />
    </div>
  )
}
