import type { Event, Question } from '@interleave/core'
import { toolOf } from '../travel/editable.ts'

export interface RerunTestOptions {
  readonly title: string
  readonly trace: string
}

/** Returns a test that runs an agent again, with the recorded turns, results and replies. */
export function rerunTest(events: readonly Event[], { title, trace }: RerunTestOptions): string {
  const { agent } = Object(events[0])
  const given = givenIn(events)
  const hasTools = Object.keys(given).length > 0
  return `import { agent${hasTools ? ', approval, type Question, text, tool' : ''} } from '@interleave/core'
import { recorder } from '@interleave/core/observe'
import { expectTrace, scriptedModel } from '@interleave/testing'
import { it } from 'vitest'
${hasTools ? "import { z } from 'zod'\n" : ''}
/** The model's replies, turn by turn. */
const model = scriptedModel(
${turnsIn(events)
  .map((turn) => `  ${code(turn)},`)
  .join('\n')}
)
${hasTools ? toolsCode(given) : ''}
it(${code(title)}, async () => {
  const log = recorder()
  // Give your own agent this model, and its own tools where they are to be tested too.
  const run = agent({ name: ${code(agent)}, model${hasTools ? ', tools' : ''} }).start(${code(firstSaid(events))}, { observers: [log] })
  await run.settled
${actsIn(events)
  .map((act) => `  ${act}\n`)
  .join('')}
  expectTrace(log.export().events, \`
${trace}
  \`)
})
`
}

/** The result of a call, and the questions before it. */
interface Given {
  readonly approval?: string
  readonly approved?: string
  readonly asks?: readonly Question[]
  readonly output?: unknown
  readonly error?: string
}

const toolsCode = (given: Readonly<Record<string, readonly Given[]>>): string => `
interface Given {
  /** The question that asked the user to approve the call. */
  approval?: string
  /** The question about the input as the user edited it. */
  approved?: string
  asks?: Question[]
  output?: unknown
  error?: string
}
/** The results of each tool, call by call. */
const given: Record<string, Given[]> = {
${Object.entries(given)
  .map(([name, calls]) => `  ${code(name)}: [\n${calls.map((call) => `    ${code(call)},\n`).join('')}  ],`)
  .join('\n')}
}

function recorded(calls: Given[]) {
  let call: Given = {}
  let id = ''
  return tool({
    inputSchema: z.unknown(),
    approve(_, __, { toolCallId }) {
      const isEdited = toolCallId === id
      if (!isEdited) call = calls.shift() ?? {}
      id = toolCallId
      const prompt = isEdited ? (call.approved ?? call.approval) : call.approval
      return prompt !== undefined && approval(prompt)
    },
    async execute(_, { ask }) {
      for (const question of call.asks ?? [])
        await ask({ ...text({ prompt: '?' }), question, check: (value) => ({ ok: true, value }) })
      if (call.error !== undefined) throw new Error(call.error)
      return call.output
    },
  })
}
const tools = Object.fromEntries(Object.entries(given).map(([name, calls]) => [name, recorded(calls)]))
`

/** The turns of the model, as a scripted model takes them. */
export const turnsIn = (events: readonly Event[]): readonly unknown[] =>
  events.flatMap((event) => {
    if (event.type !== 'thought') return []
    const joined = (type: 'text' | 'reasoning'): string =>
      event.parts.map((part) => (part.type === type ? part.text : '')).join('')
    const [text, reasoning] = [joined('text'), joined('reasoning')]
    const calls = event.parts.flatMap((part) =>
      part.type === 'tool-call' ? [{ name: part.toolName, input: part.input }] : [],
    )
    return [{ ...(reasoning && { reasoning }), ...(text && { text }), ...(calls.length > 0 && { calls }) }]
  })

/** By tool, in the order of the calls. */
function givenIn(events: readonly Event[]): Readonly<Record<string, readonly Given[]>> {
  const given: Record<string, Given[]> = Object.create(null)
  for (const event of events) {
    if (event.type !== 'observed') continue
    const asked = events.flatMap((one) => (one.type === 'asked' && one.ask.call === event.call ? [one.ask] : []))
    const approval = asked.find(({ kind }) => kind === 'approval')?.prompt
    const approved = events.find((one) => one.type === 'claimed' && one.call === event.call && one.prompt)
    const asks = asked.filter(({ kind }) => kind !== 'approval').map(({ id: _, call: __, ...question }) => question)
    const tool = toolOf(events, event.call)
    given[tool] = [
      ...(given[tool] ?? []),
      {
        ...(approval !== undefined && { approval }),
        ...(approved?.type === 'claimed' && approved.prompt !== undefined && { approved: approved.prompt }),
        ...(asks.length > 0 && { asks }),
        ...outcomeOf(event),
      },
    ]
  }
  return given
}

const outcomeOf = ({ result, error }: Extract<Event, { type: 'observed' }>): Given => {
  if (!error) return 'value' in result ? { output: result.value } : {}
  // A refused call never runs.
  return error.code === 'tool_refused' ? {} : { error: error.message }
}

/** The user's actions at each pause but the last. */
const actsIn = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event, index) => {
    const isNext = events[index - 1]?.type === 'settled'
    if (event.type === 'replied')
      return [`await run.reply(${code(event.ask)}, ${code(event.value)})`, 'await run.settled']
    return event.type === 'said' && isNext ? [`await run.say(${code(event.content)})`, 'await run.settled'] : []
  })

const firstSaid = (events: readonly Event[]): string => {
  const said = events.find((event) => event.type === 'said')
  return said?.type === 'said' && typeof said.content === 'string' ? said.content : ''
}

/** JSON is code, and reads well enough. */
const code = (value: unknown): string => JSON.stringify(value)
