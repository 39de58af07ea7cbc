import { Bot, Cloud, Workflow } from 'lucide-react'
import { type Connection, labelOf } from '../models/index.ts'
import { useOnline } from '../remote/useOnline.ts'
import { usePage, usePlayground, useShown } from '../run/usePlayground.ts'
import { isServed } from '../workers/Place.ts'
import './modelButton.css'

/** Shows the model of the run, and leads to another one. */
export function ModelButton() {
  const { openDialog } = usePlayground()
  const chosen = usePage((page) => page.connection)
  const next = usePage((page) => page.place)
  const shown = useShown()
  const isThere = isServed(shown?.place ?? next)
  const connection = shown?.connection ?? chosen
  const isOnline = useOnline()
  const Icon = isThere ? Cloud : connection.type === 'demo' ? Workflow : Bot
  return (
    <button type="button" className="model-button" aria-haspopup="dialog" onClick={() => openDialog('models')}>
      <Icon aria-hidden />
      <span className="visually-hidden">Model: </span>
      <span className="model-name">{isThere ? 'Server’s model' : nameOf(connection)}</span>
      {connection.type === 'demo' && !isThere && <span className="model-rules">rules, no AI</span>}
      {shown?.lacksKey && !isThere && <span className="badge">needs its key</span>}
      {!isOnline && <span className="model-offline">offline</span>}
    </button>
  )
}

const nameOf = (connection: Connection): string => (connection.type === 'demo' ? 'Demo planner' : labelOf(connection))
