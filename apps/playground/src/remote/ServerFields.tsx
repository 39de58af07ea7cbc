import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { CopyButton } from '../parts/CopyButton.tsx'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { serverName } from './serverUrl.ts'
import { missingWords, serverWord } from './serverWords.ts'
import './serverFields.css'

/** What there is to know of the server where new runs are to work. */
export function ServerFields() {
  const { findServer } = usePlayground()
  const server = usePage((page) => page.server)
  const { words, tone } = serverWord(server)
  useEffect(() => void findServer(), [findServer])
  return (
    <div className="server-fields">
      <p>
        <span className="server-address">{serverName()}</span>{' '}
        <span role="status" className="way-state" data-tone={tone}>
          {words}
        </span>
      </p>
      {server.type === 'missing' ? (
        <>
          <p>{missingWords(server)}</p>
          <button type="button" className="button" onClick={() => void findServer()}>
            Look again
          </button>
        </>
      ) : (
        <>
          <p>
            Runs there think with the server’s own models: its keys stay there, and what you chose above stays here.
            They go on when this page is closed, and other devices can attach to them.
          </p>
          <OtherDevice />
        </>
      )}
    </div>
  )
}

/** Whoever has the code of a browser has its runs. */
function OtherDevice() {
  const { keep, change, notify } = usePlayground()
  const field = useId()
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [complaint, complain] = useState('')

  useEffect(() => {
    keep().then(
      ({ server }) => setCode(server?.code.ensure() ?? ''),
      () => {},
    )
  }, [keep])

  const use = async (event: FormEvent | React.MouseEvent): Promise<void> => {
    event.preventDefault()
    const { server } = await keep()
    if (!server?.code.use(input.current?.value ?? ''))
      return complain('This is no access code. Copy it where the runs were begun.')
    complain('')
    setCode(server.code.ensure())
    if (input.current) input.current.value = ''
    change()
    notify({ id: 'access code', tone: 'good', words: 'The runs of the other device are in your list.' })
  }

  return (
    <details className="server-other">
      <summary>Use another device</summary>
      <p>This browser’s access code opens its runs elsewhere. Whoever has it can read and answer them.</p>
      <CopyButton label="Copy the access code" text={() => code} />
      <label htmlFor={field}>Or give the code of another device</label>
      <div className="server-code">
        <input ref={input} id={field} type="password" autoComplete="off" aria-describedby={`${field}-problem`} />
        <button type="button" className="button" onClick={(event) => void use(event)}>
          Use it
        </button>
      </div>
      <p id={`${field}-problem`} role="alert">
        {complaint}
      </p>
    </details>
  )
}
