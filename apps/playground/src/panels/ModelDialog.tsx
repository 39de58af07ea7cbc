import type { Price } from '@interleave/core'
import { useOwner, useStatus } from '@interleave/react'
import { PlugZap } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import {
  type CloudName,
  type Connection,
  cloudOfKey,
  clouds,
  type Probe,
  probe,
  secret,
  type Way,
  type WayState,
  type WayType,
  wayState,
  ways,
  wayTypeOf,
} from '../models/index.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { counted } from '../parts/wording.ts'
import { mayProxy } from '../remote/probeServer.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePage, usePlayground, useShown } from '../run/usePlayground.ts'
import { isServed, type Place } from '../workers/Place.ts'
import { BuiltInFields } from './BuiltInFields.tsx'
import { DiagnosisCard } from './DiagnosisCard.tsx'
import { KeyFields } from './KeyFields.tsx'
import { ServerWay } from './ServerWay.tsx'
import { useRemember } from './useVault.ts'
import './modelDialog.css'

/** The connection that a filled-in form describes. */
function connectionFrom(type: WayType, data: FormData): Connection {
  const field = (name: string): string => String(data.get(name) ?? '').trim()
  const key = field('key')
  switch (type) {
    case 'demo':
    case 'builtIn':
      return { type }
    case 'server':
      return { type, url: field('url'), modelId: field('modelId'), ...(key && { key: secret(key) }) }
    case 'key': {
      const route = data.has('direct') ? 'direct' : 'proxy'
      return {
        type: cloudNamed(field('cloud')) ?? cloudOfKey(key) ?? 'openai',
        modelId: field('modelId'),
        key: secret(key),
        route,
      }
    }
  }
}

const cloudNamed = (name: string): CloudName | undefined => clouds.find(({ type }) => type === name)?.type

/** Returns the price of a million tokens, if both fields have one. */
function priceFrom(data: FormData): Price | undefined {
  const [input, output] = ['priceIn', 'priceOut'].map((name) => String(data.get(name) ?? ''))
  return input && output ? { input: Number(input), output: Number(output) } : undefined
}

/** The choice of a model: the demo planner, the browser's own, a server nearby, or a provider with their own key. */
export function ModelDialog() {
  const { openDialog } = usePlayground()
  const isOpen = usePage((page) => page.dialog === 'models')
  const close = (): void => openDialog(undefined)
  return (
    <Dialog title="Choose the model" isOpen={isOpen} onClose={close}>
      <ModelForm onDone={close} />
    </Dialog>
  )
}

function ModelForm({ onDone }: { onDone: () => void }) {
  const { connect, findServer } = usePlayground()
  const chosen = usePage((page) => page.connection)
  const hasProxy = usePage(({ servers }) => mayProxy(servers.server))
  const place = usePage((page) => page.place)
  const note = useNote(useShown(), place)
  const [type, setType] = useState<WayType>(wayTypeOf(chosen))
  const [answers, setAnswers] = useState<Answers>({})
  const remember = useRemember()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => void findServer('server'), [findServer])

  const ask = async (): Promise<void> => {
    if (!form.current || !canAsk(form.current)) return
    setAnswers((before) => ({ ...before, [type]: 'asking' }))
    const answer = await probe(connectionFrom(type, new FormData(form.current)))
    setAnswers((before) => ({ ...before, [type]: answer }))
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const connection = connectionFrom(type, data)
    void connect(connection, priceFrom(data))
    // In the click itself: the browser asks for the passkey.
    if (data.has('remember')) void remember(connection)
    onDone()
  }

  return (
    <form ref={form} className="model-form" onSubmit={submit}>
      <fieldset>
        <legend className="visually-hidden">Model</legend>
        {ways
          .filter((way) => hasProxy || way.type !== 'server' || way.type === type)
          .map((way) => (
            <WayOption
              key={way.type}
              way={way}
              state={wayState(way, { connection: chosen, probe: answers[way.type] })}
              isChosen={way.type === type}
              onChoose={() => setType(way.type)}
            >
              {way.type === type && <Fields way={way} answer={answers[type]} onAsk={() => void ask()} />}
            </WayOption>
          ))}
      </fieldset>
      <footer className="dialog-foot">
        <p className="model-note">{note}</p>
        <button type="submit" className="button primary">
          Use this model
        </button>
      </footer>
    </form>
  )
}

type Answers = Readonly<Partial<Record<WayType, Probe | 'asking'>>>

interface FieldsProps {
  readonly way: Way
  readonly answer: Probe | 'asking' | undefined
  readonly onAsk: () => void
}

/** Shows the fields of a way to a model, and the result of its test. */
function Fields({ way, answer, onAsk }: FieldsProps) {
  const models = typeof answer === 'object' && answer.ok ? answer.models : []
  switch (way.type) {
    case 'demo':
      return null
    case 'builtIn':
      return <BuiltInFields />
    case 'server':
      return (
        <div className="way-fields">
          <ServerWay presets={way.presets} models={models} />
          <ProbeResult result={answer} onAsk={onAsk} />
        </div>
      )
    case 'key':
      return (
        <div className="way-fields">
          <KeyFields models={models} onAsk={onAsk} />
          <ProbeResult result={answer} onAsk={onAsk} />
        </div>
      )
  }
}

/** Returns true if the form is valid but for the model's id, which the request for the list does not need. */
const canAsk = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll('input')].every((field) => field.name === 'modelId' || field.reportValidity())

/** Returns the sentence that says whose model this changes. */
function useNote(shown: Conversation | undefined, place: Place): string {
  const isWorking = useStatus(shown?.run).status === 'working'
  const isElsewhere = useOwner(shown?.run) === 'elsewhere'
  if (isServed(place)) return 'New runs use the server’s models. The model above is for runs in this browser.'
  if (shown && isServed(shown.place)) return 'The run that is shown keeps the server’s model; new runs use this one.'
  if (isElsewhere)
    return 'The run that is shown works in another tab, with the model chosen there; new runs use this one.'
  if (!shown) return 'New runs use it.'
  return isWorking
    ? 'The run that is shown continues with it at its next turn, and new runs use it.'
    : 'New runs use it, and the run that is shown continues with it.'
}

interface WayOptionProps {
  readonly way: Way
  readonly state: WayState
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly children: ReactNode
}

const WayOption = ({ way, state, isChosen, onChoose, children }: WayOptionProps) => (
  <div className="way" data-chosen={isChosen}>
    <label>
      <input type="radio" name="way" value={way.type} checked={isChosen} onChange={onChoose} />
      <span>
        <strong>{way.label}</strong>
        <small>{way.note}</small>
      </span>
      <span className="way-state" data-tone={state.tone}>
        {state.words}
      </span>
    </label>
    {children}
  </div>
)

interface ProbeResultProps {
  readonly result: Probe | 'asking' | undefined
  readonly onAsk: () => void
}

/** Asks the server behind the fields whether it is there, before anything depends on it. */
function ProbeResult({ result, onAsk }: ProbeResultProps) {
  const verdict = useRef<HTMLDivElement>(null)
  // It may be below what is seen of a long dialog.
  useEffect(() => {
    if (typeof result === 'object') verdict.current?.scrollIntoView({ block: 'center' })
  }, [result])
  return (
    <div ref={verdict} className="probe" role="status">
      <button type="button" className="button" disabled={result === 'asking'} onClick={onAsk}>
        <PlugZap aria-hidden /> {result === 'asking' ? 'Asking' : 'Test the connection'}
      </button>
      {typeof result === 'object' && <Outcome result={result} />}
    </div>
  )
}

function Outcome({ result }: { result: Probe }) {
  if (!result.ok) return <DiagnosisCard diagnosis={result.diagnosis} />
  const { models } = result
  return (
    <p>
      It answers, with {counted(models.length, 'model')}
      {models.length > 0 && `: ${models.slice(0, 8).join(', ')}${models.length > 8 ? ' …' : ''}`}.
    </p>
  )
}
