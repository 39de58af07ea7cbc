import { ArrowDown } from 'lucide-react'
import { type ReactNode, type UIEvent, useRef, useState } from 'react'

/** From here on one reads what was before, and does not just look at the end. */
const awayPx = 160

export interface ScrollerProps {
  /** Keeps to the end while that grows, until the reader scrolls up. */
  readonly isFollowing: boolean
  readonly children: ReactNode
}

/** The scrolling middle of the page. A button leads back to the end. */
export function Scroller({ isFollowing, children }: ScrollerProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [isAway, setAway] = useState(false)
  // In a reversed scroller the end is 0, and what was before is below it.
  const look = ({ currentTarget }: UIEvent<HTMLElement>): void => setAway(-currentTarget.scrollTop > awayPx)
  return (
    <div className="chat-reader">
      <div ref={scroller} className="chat-scroller" data-follow={isFollowing} onScroll={look}>
        <div className="chat-content">{children}</div>
      </div>
      {isFollowing && isAway && (
        <button type="button" className="button to-latest" onClick={() => scroller.current?.scrollTo({ top: 0 })}>
          <ArrowDown aria-hidden /> Jump to latest
        </button>
      )}
    </div>
  )
}
