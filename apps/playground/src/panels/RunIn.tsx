import { useId } from 'react'
import { type Conversation, shownMove } from '../run/PlaygroundState.ts'
import { usePage, usePlayground, useShown } from '../run/usePlayground.ts'
import { hostNames, isPlace, isServed, type Place } from '../workers/Place.ts'

/** The host of the run that is shown, or else of the next one. Choosing another host moves a run of this browser there. */
export function RunIn() {
  const { choosePlace, runIn, findServer } = usePlayground()
  const next = usePage((page) => page.place)
  const servers = usePage((page) => page.servers)
  const conversation = useShown()
  const runId = usePage((page) => page.shown)
  const move = usePage(shownMove)
  const shown = move ? { place: move.to } : conversation
  const place = shown?.place ?? next
  const offered = useOffered(shown, place)
  const field = useId()
  const choose = (chosen: string): void => {
    if (!isPlace(chosen)) return
    if (runId !== undefined) void runIn(runId, chosen)
    else choosePlace(chosen)
  }
  return (
    <div className="run-in">
      <label htmlFor={field}>Run in</label>
      <select
        id={field}
        value={place}
        title={hints[place]}
        disabled={shown !== undefined && isServed(place)}
        // The servers are looked up when a user is about to choose.
        onFocus={() => servers.server.type === 'unknown' && void findServer('server')}
        onChange={({ target }) => choose(target.value)}
      >
        {offered.map((each) => (
          <option key={each} value={each} disabled={each === 'sharedWorker' && !('SharedWorker' in globalThis)}>
            {hostNames[each]}
          </option>
        ))}
      </select>
      <span role="status">{move && 'moving…'}</span>
    </div>
  )
}

const all = Object.keys(hostNames).filter(isPlace)

/** Returns the hosts. The server says if Restate is one of them. A run does not move to a server or from it. */
function useOffered(shown: Pick<Conversation, 'place'> | undefined, place: Place): readonly Place[] {
  const server = usePage(({ servers }) => servers.server)
  const hasRestate = place === 'restate' || (server.type === 'there' && server.neighbors.includes('restate'))
  if (shown) return isServed(place) ? [place] : all.filter((each) => !isServed(each))
  return hasRestate ? all : all.filter((each) => each !== 'restate')
}

const hints: Readonly<Record<Place, string>> = {
  page: 'Runs pause when you close the tab, and resume when you return.',
  worker: 'Runs continue while the page is busy.',
  sharedWorker: 'Runs continue while the page is busy, and while another tab of it is open.',
  server: 'Runs continue when this page is closed.',
  restate: 'Runs continue when this page is closed, and when any process dies.',
}
