import type { ReactNode } from 'react'
import { JsonText } from './JsonText.tsx'
import type { ShownPart } from './messagesAt.ts'

/** The parts of a message to or from the model. */
export function PartList({ parts, otherwise }: { parts: readonly ShownPart[]; otherwise: string }): ReactNode {
  if (parts.length === 0) return <div data-part="empty">{otherwise}</div>
  return (
    <ol data-part="parts">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts never change their places.
        <li key={index} data-kind={part.kind}>
          <h4>{titleOf(part)}</h4>
          <JsonText value={part.value} label={titleOf(part)} />
        </li>
      ))}
    </ol>
  )
}

function titleOf({ kind, tool = 'a tool' }: ShownPart): string {
  switch (kind) {
    case 'text':
      return 'Text'
    case 'reasoning':
      return 'Reasoning'
    case 'call':
      return `Calls ${tool}`
    case 'result':
      return `Result of ${tool}`
    case 'other':
      return 'Other'
  }
}
