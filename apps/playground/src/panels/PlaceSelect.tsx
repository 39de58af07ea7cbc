import { useId } from 'react'
import { usePage } from '../run/usePlayground.ts'
import { places } from '../workers/Place.ts'

/** Where new runs are to work. */
export function PlaceSelect() {
  const place = usePage((page) => page.place)
  const hint = useId()
  const field = useId()
  return (
    <div className="place-select">
      <label htmlFor={field}>New runs work in</label>
      <select id={field} name="place" defaultValue={place} aria-describedby={hint}>
        {Object.entries(places).map(([value, words]) => (
          <option key={value} value={value} disabled={value === 'sharedWorker' && !('SharedWorker' in globalThis)}>
            {words}
          </option>
        ))}
      </select>
      <small id={hint}>
        A worker goes on while the page is busy; a shared one also while other tabs of it are open.
      </small>
    </div>
  )
}
