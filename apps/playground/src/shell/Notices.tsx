import { CircleAlert, CircleCheck, Info, type LucideIcon, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Notice } from '../run/PlaygroundState.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import './notices.css'

/** Long enough to read. A notice with an action, or about a problem, stays until the user closes it. */
const readMs = 7_000

const icons: Readonly<Record<Notice['tone'], LucideIcon>> = { plain: Info, good: CircleCheck, bad: CircleAlert }

/** The notices of the page. Screen readers announce them, and they never take the focus. */
export function Notices() {
  const notices = usePage((page) => page.notices)
  return (
    <div className="notices" role="status">
      {notices.map((notice) => (
        <NoticeView key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function NoticeView({ notice: { id, words, tone, action } }: { notice: Notice }) {
  const { dismissNotice } = usePlayground()
  const [isHeld, setHeld] = useState(false)
  const leaves = tone !== 'bad' && action === undefined && !isHeld
  const Icon = icons[tone]

  useEffect(() => {
    if (!leaves) return
    const timer = setTimeout(() => dismissNotice(id), readMs)
    return () => clearTimeout(timer)
  }, [dismissNotice, id, leaves])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a user who points at it is still reading.
    <div
      className="notice"
      data-tone={tone}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon aria-hidden />
      <p>{words}</p>
      {action && (
        <button
          type="button"
          className="button"
          onClick={() => {
            dismissNotice(id)
            void action.run()
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className="icon-button" aria-label="Close the message" onClick={() => dismissNotice(id)}>
        <X aria-hidden />
      </button>
    </div>
  )
}
