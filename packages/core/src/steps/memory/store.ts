import type { Entry } from '../../entry.ts'
import { itemAt, lengthOf } from '../../pages.ts'
import type { RunContext } from '../../run.ts'
import type { RunState } from '../../state.ts'
import { wordsOf } from './recall.ts'
import { attempt, namespaceOf, type Remembering } from './remembering.ts'

/** A request of the user and the answer to it, as text. */
export interface Exchange {
  readonly request: string
  readonly answer: string
}

export interface Storing extends Remembering {
  readonly extract?:
    | ((exchange: Exchange, run: RunContext) => readonly string[] | PromiseLike<readonly string[]>)
    | undefined
}

/** Stores the content of an answered request. Repeated after a crash, it replaces the first. */
export async function store(run: RunContext, storing: Storing, output: unknown): Promise<void> {
  const { runId, iteration, notes } = run.state
  const key = `memory/store/${iteration}`
  if (Object.hasOwn(notes, key)) return
  const { memory, extract = whole } = storing
  const exchange: Exchange = { request: requestOf(run.state), answer: answerOf(output) }
  const namespace = namespaceOf(storing, run.state)
  const at = run.host.now()
  const stored = await attempt(run, storing, async (abortSignal) => {
    const texts = await extract(exchange, run)
    const items = texts.map((text, index) => ({ id: `${runId}/${iteration}/${index}`, text, namespace, at }))
    if (items.length > 0) await memory.add(items, { abortSignal })
    return items.map(({ id }) => id)
  })
  if (stored && !run.abortSignal.aborted) run.emit({ type: 'noted', key, value: stored })
}

const whole = ({ request, answer }: Exchange): readonly string[] => [`Asked: ${request}\nAnswered: ${answer}`]

const answerOf = (output: unknown): string =>
  wordsOf(typeof output === 'string' ? output : (JSON.stringify(output) ?? ''))

/** Returns the user's messages since the request began. */
function requestOf({ history, request }: RunState): string {
  const said: string[] = []
  for (let index = lengthOf(history) - 1; index >= 0; index--) {
    const entry = itemAt(history, index)
    if (!entry || isEarlier(entry, request.iteration)) break
    if (entry.type === 'said' && entry.by === 'user') said.unshift(wordsOf(entry.content))
  }
  return said.join('\n')
}

const isEarlier = (entry: Entry, iteration: number): boolean =>
  entry.type === 'messages' || (entry.type === 'turn' && entry.iteration <= iteration)
