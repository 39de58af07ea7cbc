import type { RemoteLink } from '@interleave/core/remote'
import { Cloud } from 'lucide-react'
import { useEffect, useState } from 'react'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { serverName } from './serverUrl.ts'
import { linkWords, missingWords } from './serverWords.ts'
import { useOnline } from './useOnline.ts'
import './serverLine.css'

/** Where the run that is shown is, and how the page stands with that place. */
export function ServerLine({ link }: { link: RemoteLink }) {
  const { words, tone, until } = linkWords(link, useOnline())
  return (
    <div className="server-line" data-tone={tone}>
      <Cloud aria-hidden />
      <p>
        <span>On the server</span> <span className="server-address">{serverName()}</span>
        <span role="status" className="server-state">
          {words}
        </span>
        {until !== undefined && <Countdown key={until} until={until} />}
      </p>
    </div>
  )
}

/** Who listens is not told every second. */
function Countdown({ until }: { until: number }) {
  const [now, look] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => look(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000))
  return <span aria-hidden> {seconds === 0 ? 'now' : `in ${seconds} s`}</span>
}

/** For who is about to start a run on the server: which one it is, or why there is none. */
export function ServerAhead() {
  const { findServer, choosePlace } = usePlayground()
  const server = usePage((page) => page.server)
  useEffect(() => void findServer(), [findServer])
  if (server.type !== 'missing') {
    return (
      <div className="server-line" data-tone="open">
        <Cloud aria-hidden />
        <p>
          New runs work on the server <span className="server-address">{serverName()}</span>, with its own models.
        </p>
      </div>
    )
  }
  return (
    <div className="server-line" data-tone="bad">
      <Cloud aria-hidden />
      <p role="status">
        There is no server at <span className="server-address">{serverName()}</span>. {missingWords(server)}
      </p>
      <button type="button" className="button" onClick={() => void findServer()}>
        Look again
      </button>
      <button type="button" className="button" onClick={() => choosePlace('page')}>
        Work in this page
      </button>
    </div>
  )
}
