import type { ReactNode } from 'react'
import { usePlayground } from '../run/usePlayground.ts'

export interface ForkButtonProps {
  /** The event that the fork changes. */
  readonly seq: number
  readonly name: string
  readonly title: string
  readonly className?: string
  /** Its icon. */
  readonly children: ReactNode
}

/** Opens the dialog for a new run in which one event is different. This run stays. */
export function ForkButton({ seq, name, title, className = '', children }: ForkButtonProps) {
  const { openFork } = usePlayground()
  return (
    <button
      type="button"
      className={`icon-button ${className}`}
      aria-haspopup="dialog"
      aria-label={name}
      title={title}
      onClick={() => openFork(seq)}
    >
      {children}
    </button>
  )
}
