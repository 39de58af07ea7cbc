import { useOwner, useStatus } from '@interleave/react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Connection, type Probe, probe, type Way, type WayState, wayState, ways } from '../models/index.ts'
import { Dialog } from '../parts/Dialog.tsx'
import { mayProxy } from '../remote/mayProxy.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePage, usePlayground, useShown } from '../run/usePlayground.ts'
import { isServed, type Place } from '../workers/Place.ts'
import { connectionFrom, priceFrom } from './connectionFrom.ts'
import { ProbeResult } from './ProbeResult.tsx'
import { WayFields } from './WayFields.tsx'
import './modelDialog.css'

/** Where the user chooses what thinks: the demo planner, a server nearby, or a provider with a key of their own. */
export function ModelDialog() {
  const { openDialog } = usePlayground()
  const isOpen = usePage((page) => page.dialog === 'models')
  const close = (): void => openDialog(undefined)
  return (
    <Dialog title="Which model thinks?" isOpen={isOpen} onClose={close}>
      <ModelForm onDone={close} />
    </Dialog>
  )
}

function ModelForm({ onDone }: { onDone: () => void }) {
  const { connect, findServer } = usePlayground()
  const chosen = usePage((page) => page.connection)
  const prices = usePage((page) => page.prices)
  const hasProxy = usePage(({ servers }) => mayProxy(servers.server))
  const place = usePage((page) => page.place)
  const note = useNote(useShown(), place)
  const [type, choose] = useState<Connection['type']>(chosen.type)
  const [answers, tell] = useState<Readonly<Record<string, Probe | 'asking'>>>({})
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => void findServer('server'), [findServer])
  const answer = answers[type]

  const ask = async (): Promise<void> => {
    if (!form.current || !canAsk(form.current)) return
    tell((before) => ({ ...before, [type]: 'asking' }))
    const told = await probe(connectionFrom(type, new FormData(form.current)))
    tell((before) => ({ ...before, [type]: told }))
  }

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    void connect(connectionFrom(type, data), priceFrom(data))
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
              onChoose={() => choose(way.type)}
            >
              {way.type === type && (
                <WayFields
                  way={way}
                  connection={chosen}
                  prices={prices}
                  hasProxy={hasProxy}
                  models={typeof answer === 'object' && answer.ok ? answer.models : []}
                />
              )}
            </WayOption>
          ))}
      </fieldset>
      {type !== 'demo' && <ProbeResult result={answer} onAsk={() => void ask()} />}
      <footer className="dialog-foot">
        <p className="model-note">{note}</p>
        <button type="submit" className="button primary">
          Use this model
        </button>
      </footer>
    </form>
  )
}

/** Which models there are is asked without naming one. */
const canAsk = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll('input')].every((field) => field.name === 'modelId' || field.reportValidity())

/** Whose model is changed by this. */
function useNote(shown: Conversation | undefined, place: Place): string {
  const isWorking = useStatus(shown?.run).status === 'working'
  const isElsewhere = useOwner(shown?.run) === 'elsewhere'
  if (isServed(place)) return 'New runs think with the server’s models. The model above is for runs in this browser.'
  if (shown && isServed(shown.place)) return 'The run that is shown keeps the server’s model; new runs use this one.'
  if (isElsewhere)
    return 'The run that is shown works in another tab, with the model chosen there; new runs use this one.'
  return isWorking
    ? 'The run that is shown goes on with its model; new runs use this one.'
    : 'New runs use this model, and so does the run that is shown.'
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
