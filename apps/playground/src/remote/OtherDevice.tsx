import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { CopyButton } from '../parts/CopyButton.tsx'
import { usePlayground } from '../run/usePlayground.ts'
import type { ServedPlace } from '../workers/Place.ts'
import './otherDevice.css'

/** The code of a browser gives access to its runs. */
export function OtherDevice({ place }: { place: ServedPlace }) {
  const { openStorage, change, notify } = usePlayground()
  const field = useId()
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState('')

  useEffect(() => {
    openStorage().then(
      ({ servers }) => setCode(servers?.[place].code.ensure() ?? ''),
      () => {},
    )
  }, [openStorage, place])

  const use = async (event: FormEvent | React.MouseEvent): Promise<void> => {
    event.preventDefault()
    const { servers } = await openStorage()
    const code = servers?.[place].code
    if (!code?.use(input.current?.value ?? ''))
      return setProblem('This is no access code. Copy it where the runs were begun.')
    setProblem('')
    setCode(code.ensure())
    if (input.current) input.current.value = ''
    change()
    notify({ id: 'access code', tone: 'good', words: 'The runs of the other device are in your list.' })
  }

  return (
    <details className="server-other">
      <summary>Use another device</summary>
      <p>This browser’s access code opens its runs elsewhere. Anyone who has it can read and answer them.</p>
      <CopyButton label="Copy the access code" text={() => code} />
      <label htmlFor={field}>Or give the code of another device</label>
      <div className="server-code">
        <input
          ref={input}
          id={field}
          className="text-field"
          type="password"
          autoComplete="off"
          aria-describedby={`${field}-problem`}
        />
        <button type="button" className="button" onClick={(event) => void use(event)}>
          Use it
        </button>
      </div>
      <p id={`${field}-problem`} role="alert">
        {problem}
      </p>
    </details>
  )
}
