import { checkOptions, DEV } from '#checks'
import { interruptions } from '../capabilities/interruptions/interruptions.ts'
import { type ChildSignal, runChild } from '../children/child.ts'
import { AgentError, messageOf } from '../error.ts'
import { type AnyEvent, isKept } from '../event.ts'
import { joined } from '../history/scratchpad.ts'
import type { Json } from '../json.ts'
import { assertOption } from '../options.ts'
import type { UserContent } from '../part.ts'
import type { Agent, Listener } from '../run.ts'
import { type JsonSchema, type Schema, schemaBy } from '../schema.ts'
import type { RunState } from '../state.ts'
import { type Inside, isAgent } from '../step.ts'
import type { ToolContext, ToolOptions } from '../tool.ts'

export interface AgentToolOptions<Input = { task: string }> extends Pick<ToolOptions<Input, unknown>, 'approve'> {
  /** Describes to the model when to use the agent. */
  description: string
  /** The schema of the tool's input; by default an object with a `task`, which is a string. */
  inputSchema?: Schema<Input>
  /** Returns the agent's message. By default the `task`, or the whole input as JSON. */
  toMessage?: (input: Input) => UserContent
  /** The maximum depth of child agents; 4 by default. */
  maxDepth?: number
  /** Attached to each run of the agent. */
  observers?: readonly Listener[]
}

/** A tool that `agentTool` made. */
export interface AgentTool<Input = { task: string }> extends ToolOptions<Input, Json> {
  readonly resumes: true
}

/** Preliminary output of an agent's tool: what its run is doing. */
export interface AgentProgress {
  readonly runId: string
  readonly agent: string
  readonly iteration: number
  /** The text of its latest turn that has arrived so far. */
  readonly text: string
  /** The tools that it is using now. */
  readonly tools: readonly string[]
}

/**
 * Makes an agent a tool of another. Each call is a child run with its own log, `<id of the run>/<key of the call>`; its
 * answer is the result, and its failure an error that the model reads. The calling run asks its questions. The child
 * resumes after a stop or a reload.
 *
 * @example
 * const editor = agent({ name: 'editor', model, tools: { research: agentTool(researcher, { description: 'Finds facts.' }) } })
 */
export function agentTool<Input = { task: string }>(agent: Agent, options: AgentToolOptions<Input>): AgentTool<Input> {
  checkOptions('agentTool()', options, ['description', 'inputSchema', 'toMessage', 'maxDepth', 'observers', 'approve'])
  const { description, inputSchema, toMessage = toTask, maxDepth, observers, approve } = options
  assertOption(isAgent(agent), DEV && 'agentTool() takes an agent. Describe one with agent({ … }).')
  const execute = async (input: Input, context: ToolContext): Promise<Json> => {
    const { run, activity, call } = context as Inside
    assertOption(
      run,
      DEV && `The agent "${agent.name}" was called outside of a run. Give it to another agent() as a tool.`,
    )
    const hidesText = [agent, run.state].some(({ exposeReasoning }) => exposeReasoning === false)
    const signal = await runChild(run, {
      key: call,
      call,
      activity,
      agent,
      input: messageFor(input),
      ...(maxDepth !== undefined && { maxDepth }),
      ...(observers && { observers }),
      onEvent(event, state) {
        if (isProgress(event)) run.live({ type: 'progressed', call, output: { ...progressOf(state, hidesText) } })
      },
    })
    return outputOf(agent, signal)
  }
  /** Returns the message. Its errors are errors of the call, whatever their code. */
  const messageFor = (input: Input): UserContent => {
    try {
      return toMessage(input)
    } catch (error) {
      throw new AgentError('tool_failed', messageOf(error), { cause: error })
    }
  }
  const schema = inputSchema ?? (schemaBy<unknown>(taskJson, readTask, taskProblem) as Schema<Input>)
  const plain = {
    description,
    inputSchema: schema,
    execute,
    effect: 'idempotent',
    resumes: true,
    interruptions,
  } as const
  return approve === undefined ? plain : { ...plain, approve }
}

const taskJson: JsonSchema = {
  type: 'object',
  properties: { task: { type: 'string', description: 'What to do, with everything that has to be known for it.' } },
  required: ['task'],
  additionalProperties: false,
}
const taskProblem = 'give the task as a string in the field "task"'

function readTask(value: unknown): { task: string } | undefined {
  const { task } = Object(value) as { task?: unknown }
  return typeof task === 'string' && task !== '' ? { task } : undefined
}

function toTask(input: unknown): string {
  const { task } = (input ?? {}) as { task?: unknown }
  return typeof task === 'string' ? task : JSON.stringify(input)
}

function outputOf({ name }: Agent, signal: ChildSignal): Json {
  if (signal.type === 'answer') return signal.output as Json
  if (signal.type === 'stopped') throw new AgentError('stopped', `The agent "${name}" was stopped: ${signal.reason}`)
  const { code, message, ...more } = signal.error
  throw new AgentError(code, `The agent "${name}" failed: ${message}`, more)
}

/** Returns true for progress events. Omits deltas: listen to the child run itself for those. */
const isProgress = (event: AnyEvent): boolean =>
  isKept(event)
    ? event.type === 'thought' || event.type === 'claimed' || event.type === 'observed'
    : event.type === 'thinking'

function progressOf({ runId, agent, iteration, history }: RunState, hidesText: boolean): AgentProgress {
  const turn = history.at(-1)?.findLast((entry) => entry.type === 'turn')
  // Text next to calls is a thought.
  const text = turn && !(hidesText && turn.calls.length > 0) ? joined(turn, 'text') : ''
  const tools =
    turn?.calls.flatMap(({ name, claimedAt, result }) => (claimedAt !== undefined && !result ? [name] : [])) ?? []
  return { runId, agent, iteration, text, tools }
}
