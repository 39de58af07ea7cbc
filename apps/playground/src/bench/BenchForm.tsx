import type { Agent, Json } from '@interleave/core'
import { scratchpad } from '@interleave/core/observe'
import { type EditedInput, InputEditor, type InputEditorProps } from '@interleave/react'
import { Play } from 'lucide-react'
import { type FormEvent, use, useMemo, useRef, useState } from 'react'
import { errorWords } from '../parts/errorWords.ts'
import { useShown } from '../run/usePlayground.ts'

export interface BenchFormProps {
  readonly tool: Agent['tools'][string]
  /** The input of an earlier call, to start from. */
  readonly input: Json | undefined
  readonly onCall: (input: Json) => void
}

/** Edits the input of a call, as fields or as JSON. It can begin with a call of the shown run. */
export function BenchForm({ tool, input, onCall }: BenchFormProps) {
  const schema = useSchema(tool)
  const [chosen, setChosen] = useState<{ readonly from: string; readonly input: Json }>()
  const [trouble, setTrouble] = useState<string>()
  const editor = useRef<EditedInput>(null)
  const begun = useMemo(() => chosen?.input ?? input ?? startInput(schema), [chosen, input, schema])
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    try {
      onCall((await editor.current?.read()) ?? begun)
      setTrouble(undefined)
    } catch (error) {
      setTrouble(errorWords(error))
    }
  }
  return (
    <form className="bench-form" data-interleave="form" onSubmit={(event) => void submit(event)}>
      <Prefill tool={tool.name} onChoose={(from, taken) => setChosen({ from, input: taken })} />
      <InputEditor key={chosen?.from} handle={editor} ask={{ schema, input: begun }} />
      <div className="bench-go">
        <button type="submit" className="button primary">
          <Play aria-hidden /> Run tool
        </button>
        {trouble && <p role="alert">{trouble}</p>}
      </div>
    </form>
  )
}

type Schema = InputEditorProps['ask']['schema']

/** Returns the input schema of a tool. The form suspends until it is ready. */
const useSchema = ({ schema: { json } }: BenchFormProps['tool']): Schema =>
  isReady(json) ? json : use(toPromise(json))

const isReady = (json: Schema | PromiseLike<Schema>): json is Schema =>
  !('then' in json && typeof json.then === 'function')

const promises = new WeakMap<object, Promise<Schema>>()

/** Caches the promise, since a new one in each render would suspend forever. */
function toPromise(json: PromiseLike<Schema>): Promise<Schema> {
  const known = promises.get(json)
  if (known) return known
  const promise = Promise.resolve(json)
  promises.set(json, promise)
  return promise
}

interface PrefillProps {
  readonly tool: string
  readonly onChoose: (from: string, input: Json) => void
}

/** Offers the inputs of the shown run's calls of this tool. */
function Prefill({ tool, onChoose }: PrefillProps) {
  const run = useShown()?.run
  const calls = run ? scratchpad(run.state).filter((entry) => entry.type === 'action' && entry.tool === tool) : []
  if (calls.length === 0) return null
  return (
    <label className="bench-prefill">
      Begin with
      <select
        defaultValue=""
        onChange={({ target }) => {
          const found = calls.find((entry) => entry.type === 'action' && entry.call === target.value)
          if (found?.type === 'action') onChoose(found.call, found.input)
        }}
      >
        <option value="" disabled>
          the input of a call of this run …
        </option>
        {calls.map(
          (entry) =>
            entry.type === 'action' && (
              <option key={entry.call} value={entry.call}>
                Turn {entry.iteration}: {JSON.stringify(entry.input).slice(0, 80)}
              </option>
            ),
        )}
      </select>
    </label>
  )
}

/** Returns the defaults of an input schema, to fill its form. */
function startInput(schema: object): Json {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, { default?: Json } | boolean>> }
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      typeof property === 'object' && property.default !== undefined ? [[name, property.default]] : [],
    ),
  )
}
