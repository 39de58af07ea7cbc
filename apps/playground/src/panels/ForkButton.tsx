import type { ReactNode } from 'react'
import { usePlayground } from '../run/usePlayground.ts'

export interface ForkButtonProps {
  /** The event that is to say something else. */
  readonly seq: number
  readonly name: string
  readonly title: string
  readonly className?: string
  /** Its icon. */
  readonly children: ReactNode
}

/** The way to a new run in which something was said differently. This one stays. */
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
