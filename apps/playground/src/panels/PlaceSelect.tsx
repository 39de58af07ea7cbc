import { Suspense, useEffect, useId } from 'react'
import { later } from '../parts/later.tsx'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { isPlace, isServed, type Place, places } from '../workers/Place.ts'

const ServerFields = later(async () => (await import('../remote/ServerFields.tsx')).ServerFields)

export interface PlaceSelectProps {
  readonly place: Place
  readonly onChoose: (place: Place) => void
}

/** Where new runs are to work. */
export function PlaceSelect({ place, onChoose }: PlaceSelectProps) {
  const hint = useId()
  const field = useId()
  const offered = useOffered(place)
  return (
    <div className="place-select">
      <label htmlFor={field}>New runs work</label>
      <select
        id={field}
        value={place}
        aria-describedby={hint}
        onChange={({ target }) => isPlace(target.value) && onChoose(target.value)}
      >
        {offered.map((each) => (
          <option key={each} value={each} disabled={each === 'sharedWorker' && !('SharedWorker' in globalThis)}>
            {places[each]}
          </option>
        ))}
      </select>
      <small id={hint}>{hints[place]}</small>
      {isServed(place) && (
        <Suspense fallback={<p className="thinking">Looking for the server</p>}>
          <ServerFields key={place} place={place} />
        </Suspense>
      )}
    </div>
  )
}

/** The places to choose from. Whether Restate is one of them, the server says. */
function useOffered(place: Place): readonly Place[] {
  const { findServer } = usePlayground()
  const server = usePage(({ servers }) => servers.server)
  useEffect(() => void findServer('server'), [findServer])
  useEffect(() => {
    if (place === 'restate') void findServer(place)
  }, [findServer, place])
  const isThere = server.type === 'there' && server.beside.includes('restate')
  return (Object.keys(places) as Place[]).filter((each) => each !== 'restate' || each === place || isThere)
}

const hints: Readonly<Record<Place, string>> = {
  page: 'They stop with this page, and go on where they were when it comes back.',
  worker: 'They go on while the page is busy.',
  sharedWorker: 'They go on while the page is busy, and while another tab of it is open.',
  server: 'They go on when this page is closed.',
  restate: 'They go on when this page is closed, and when any process dies.',
}
