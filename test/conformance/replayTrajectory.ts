import type { Step } from '@interleave/core'
import { type Agent, agent, type Run, type Signal, type ToolContext, type ToolSet, textAnswer } from '@interleave/core'
import { act, inOrder, limit, openCalls, think } from '@interleave/core/steps'
import { type ScriptedModel, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { jsonSchema } from 'ai'
import { checkByKeywords } from '../../packages/core/src/jsonSchema/check.ts'
import { openingOf, toPrompt } from './oracle.ts'
import { type Answers, answersOf, placeOf } from './recordedAnswers.ts'
import { type RecordedRun, type RecordedTurn, type Trajectory, turnsOf } from './trajectory.ts'

export interface Replayed {
  readonly run: Run
  readonly model: ScriptedModel
  /** The rest after each of the recorded runs. */
  readonly signals: readonly Signal[]
}

/** The options of a replay: calls that no tool of the agent can answer get the recorded result, or the engine's. */
export interface ReplayOptions {
  readonly standIn: boolean
}

/** Plays recorded runs as one run of the engine: the first is started on its history, each later one begins by `say`. */
export async function replayTrajectory(
  { tools = [] }: Pick<Trajectory, 'tools'>,
  runs: readonly [RecordedRun, ...RecordedRun[]],
  { standIn }: ReplayOptions,
): Promise<Replayed> {
  const [first, ...later] = runs
  const model = scriptedModel(...runs.flatMap(({ messages }) => turnsOf(messages)).map(toScripted))
  const answers = answersOf(runs)
  const { instructions, messages } = openingOf(first)
  const replaying: Agent = agent({
    name: 'replay',
    model,
    ...(instructions && { instructions }),
    tools: toTools(tools, answers),
    backend: inOrder(
      limit({ iterations: 1_000 }),
      think({ retries: 0 }),
      ...(standIn ? [answerInPlace(tools, answers)] : []),
      act(),
      stopAtRecordedEnds(runs),
    ),
  })

  const run = replaying.start(inputOf(first), { history: await toPrompt(messages) })
  const signals = [await run.settled]
  for (const next of later) {
    await run.say(inputOf(next))
    signals.push(await run.settled)
  }
  return { run, model, signals }
}

const inputOf = ({ input }: RecordedRun): string => input.at(-1)?.content ?? ''

function toScripted({ reasoning, content, tool_calls }: RecordedTurn): ScriptedTurn {
  const calls = tool_calls?.map(({ id, name, args, args_raw }) => ({ id, name, input: args_raw ?? args ?? {} }))
  return {
    ...(reasoning && { reasoning }),
    ...(typeof content === 'string' && { text: content }),
    ...(calls && { calls }),
  }
}

function toTools(recorded: NonNullable<Trajectory['tools']>, answers: Answers): ToolSet {
  const tools = recorded
    .filter(({ name }) => /^[\w-]{1,64}$/.test(name))
    .map(({ name, description, parameters }) => [
      name,
      {
        ...(description && { description }),
        inputSchema: jsonSchema(parameters ?? { type: 'object' }),
        execute(_input: unknown, { idempotencyKey }: ToolContext) {
          const { content, error } = answers(placeOf(idempotencyKey))
          if (error) throw new Error(content)
          return content
        },
      },
    ])
  return Object.fromEntries(tools) as ToolSet
}

/**
 * Answers calls from the recording, as a step between thought and action. Recorded models also call tools that they do
 * not have, write input that is not JSON, or that does not fit the schema, which some recorded tools took. The recordings contain other errors for these ("Tool not found", or the
 * output of a tool that was omitted from the request), so the engine's own error cannot be equal. Giving the agent a
 * tool of every called name would hide that such a tool was missing, and the model would see it. A second replay
 * without this step shows that the engine rejects these calls itself and continues.
 */
function answerInPlace(recorded: NonNullable<Trajectory['tools']>, answers: Answers): Step {
  const schemas = new Map(recorded.map(({ name, parameters }) => [name, parameters ?? {}]))
  const fits = (name: string, input: unknown): boolean => checkByKeywords(schemas.get(name) ?? {}, input, name).ok
  return (run) => {
    for (const { key, name, invalid, input } of openCalls(run.state)) {
      if (Object.hasOwn(run.agent.tools, name) && !invalid && fits(name, input)) continue
      const { content: value, error } = answers(key)
      run.emit({ type: 'observed', call: key, ms: 0, result: { type: error ? 'error-text' : 'text', value } })
    }
    return undefined
  }
}

/**
 * A text is the answer where the recorded run ends. In the middle of one, an agent wrote two messages in a row: the model
 * is asked again with nothing added, which is what an empty list of messages is.
 */
function stopAtRecordedEnds(runs: readonly RecordedRun[]): Step {
  const ends = new Set<number>()
  let turns = 0
  for (const { messages } of runs) {
    turns += turnsOf(messages).length
    ends.add(turns)
  }
  const stop = textAnswer()
  return async (run) => {
    const signal = await stop(run)
    if (signal?.type !== 'answer' || ends.has(run.state.iteration)) return signal
    run.emit({ type: 'seeded', messages: [] })
    return undefined
  }
}
