import type { Pane } from '../run/PlaygroundState.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { useMedia } from '../shell/useMedia.ts'

const titles: Readonly<Record<Pane, string>> = { runs: 'Runs', chat: 'Chat', details: 'Inside' }

/** On a page that has no room for all panes, chooses which one is shown: alone, or beside the conversation. */
export function PaneSwitch() {
  const { choosePane } = usePlayground()
  const chosen = usePage((page) => page.pane)
  const hasTwo = useMedia('(48rem <= width < 70rem)')
  const panes: readonly Pane[] = hasTwo ? ['runs', 'details'] : ['runs', 'chat', 'details']
  const shown = hasTwo && chosen === 'chat' ? 'details' : chosen
  return (
    <nav className="pane-switch" aria-label={hasTwo ? 'Beside the chat' : 'Panes'} data-two={hasTwo}>
      {hasTwo && <span aria-hidden>Beside the chat:</span>}
      {panes.map((pane) => (
        <button key={pane} type="button" aria-current={pane === shown} onClick={() => choosePane(pane)}>
          {titles[pane]}
        </button>
      ))}
    </nav>
  )
}
