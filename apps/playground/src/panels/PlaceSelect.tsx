import { lazy, Suspense, useId } from 'react'
import { isPlace, type Place, places } from '../workers/Place.ts'

const ServerFields = lazy(async () => ({ default: (await import('../remote/ServerFields.tsx')).ServerFields }))

export interface PlaceSelectProps {
  readonly place: Place
  readonly onChoose: (place: Place) => void
}

/** Where new runs are to work. */
export function PlaceSelect({ place, onChoose }: PlaceSelectProps) {
  const hint = useId()
  const field = useId()
  return (
    <div className="place-select">
      <label htmlFor={field}>New runs work</label>
      <select
        id={field}
        value={place}
        aria-describedby={hint}
        onChange={({ target }) => isPlace(target.value) && onChoose(target.value)}
      >
        {Object.entries(places).map(([value, words]) => (
          <option key={value} value={value} disabled={value === 'sharedWorker' && !('SharedWorker' in globalThis)}>
            {words}
          </option>
        ))}
      </select>
      <small id={hint}>{hints[place]}</small>
      {place === 'server' && (
        <Suspense fallback={<p className="thinking">Looking for the server</p>}>
          <ServerFields />
        </Suspense>
      )}
    </div>
  )
}

const hints: Readonly<Record<Place, string>> = {
  page: 'They stop with this page, and go on where they were when it comes back.',
  worker: 'They go on while the page is busy.',
  sharedWorker: 'They go on while the page is busy, and while another tab of it is open.',
  server: 'They go on when this page is closed.',
}
