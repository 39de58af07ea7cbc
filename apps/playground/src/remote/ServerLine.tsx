import { Cloud } from 'lucide-react'
import { useEffect, useState } from 'react'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { places, type ServedPlace } from '../workers/Place.ts'
import { serverName } from './serverUrls.ts'
import { connectionWords, missingWords, serverWord } from './serverWords.ts'
import { useOnline } from './useServer.ts'
import './serverLine.css'
import { own } from '../parts/objects.ts'
import { OtherDevice } from './OtherDevice.tsx'

/** The server of the run that is shown, and the connection to it. */
export function ServerLine({ place }: { place: ServedPlace }) {
  const connection = usePage(({ shown = '', reach }) => own(reach[place].connections, shown))
  const isOnline = useOnline()
  if (!connection) return null
  const { words, tone, until } = connectionWords(connection, isOnline)
  return (
    <div className="server-line" data-tone={tone}>
      <Cloud aria-hidden />
      <p>
        <span>{places[place].replace('on', 'On')}</span> <span className="server-address">{serverName(place)}</span>
        <span role="status" className="server-state">
          {words}
        </span>
        {until !== undefined && <Countdown key={until} until={until} />}
      </p>
    </div>
  )
}

/** Screen readers do not announce every second. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000))
  return <span aria-hidden> {seconds === 0 ? 'now' : `in ${seconds} s`}</span>
}

/** Shows the server of the next run, or why there is none. */
export function ServerAhead({ place }: { place: ServedPlace }) {
  const { findServer, choosePlace } = usePlayground()
  const server = usePage((page) => page.servers[place])
  useEffect(() => void findServer(place), [findServer, place])
  const { words, tone } = serverWord(server)
  if (server.type !== 'missing') {
    return (
      <div className="server-line" data-tone={tone}>
        <Cloud aria-hidden />
        <p>
          New runs work {places[place]} <span className="server-address">{serverName(place)}</span>, with the server’s
          models.
          <span role="status" className="server-state">
            {words}
          </span>
        </p>
        <OtherDevice place={place} />
      </div>
    )
  }
  return (
    <div className="server-line" data-tone="bad">
      <Cloud aria-hidden />
      <p role="status">
        There is no {place === 'restate' ? 'Restate' : 'server'} at{' '}
        <span className="server-address">{serverName(place)}</span>. {missingWords(server, place)}
      </p>
      <button type="button" className="button" onClick={() => void findServer(place)}>
        Look again
      </button>
      <button type="button" className="button" onClick={() => choosePlace('page')}>
        Work in this page
      </button>
    </div>
  )
}
