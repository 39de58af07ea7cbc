import { AppWindow } from 'lucide-react'
import type { MouseEvent } from 'react'
import { runLink } from '../run/address.ts'

/** Opens the run a second time, side by side where the screen has room for two. */
export const SecondTab = ({ runId }: { runId: string }) => (
  <a className="button" href={runLink(runId)} target="_blank" rel="noopener" onClick={openSideBySide}>
    <AppWindow aria-hidden /> Open in a second tab
  </a>
)

/** Opens a window. On a small screen, or with a modifier key, the browser opens a tab itself. */
function openSideBySide(event: MouseEvent<HTMLAnchorElement>): void {
  const { availWidth, availHeight } = screen
  if (availWidth < 1_200 || event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  const width = Math.floor(availWidth / 2)
  const place = `left=${availWidth - width},top=0,width=${width},height=${availHeight}`
  window.open(event.currentTarget.href, '_blank', `noopener,popup,${place}`)
}
