import type { Pane } from '../run/PlaygroundState.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'

const panes: readonly (readonly [Pane, string])[] = [
  ['runs', 'Runs'],
  ['chat', 'Chat'],
  ['details', 'Inside'],
]

/** On a narrow page one pane is shown at a time. */
export function PaneSwitch() {
  const { choosePane } = usePlayground()
  const shown = usePage((page) => page.pane)
  return (
    <nav className="pane-switch" aria-label="Panes">
      {panes.map(([pane, title]) => (
        <button key={pane} type="button" aria-current={pane === shown} onClick={() => choosePane(pane)}>
          {title}
        </button>
      ))}
    </nav>
  )
}
