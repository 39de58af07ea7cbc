import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { type Agent, agent, confirm, reasonAct, type Step, type ToolSet } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { END, graph, parallel, untilAnswer } from '@interleave/core/graph'
import { rememberPermissions } from '@interleave/core/steps'
import { plainStream, turnParts } from '../providerParts.ts'
import type { Mutation } from './faults.ts'
import type { Life } from './life.ts'
import type { Scenario } from './scenarios.ts'
import { inputOf, scheduleTools, type ToolName } from './scheduleTools.ts'

/** The agent of a scenario, as one page describes it. */
export function createAgent(
  life: Life,
  { turns, childTurns, hasSteps, hasStore, hasGraph }: Scenario,
  mutation: Mutation,
): Agent {
  const original = scheduleTools(life)
  const tools = mutation.tools?.(original, life) ?? original
  const mutated = (backend: Step): Step => mutation.backend?.(backend, life) ?? backend
  const helper =
    childTurns && agent({ name: 'helper', model: heldModel(life, childTurns), tools, backend: mutated(reasonAct()) })
  const store = mutation.allowed?.(life.allowed, life) ?? life.allowed
  const offering = (backend: Step): Step => (hasStore ? rememberPermissions(backend, { store }) : backend)
  const working = reasonAct({ before: hasSteps ? [twoCallers(life)] : [] })
  return agent({
    name: 'schedules',
    model: heldModel(life, turns, (turn) => life.witness.requests(turn)),
    tools: helper ? { ...tools, delegate: delegate(life, helper) } : tools,
    backend: offering(mutated(hasGraph ? scheduleGraph(life, working) : working)),
  })
}

/** A child run, whose events its page receives too. */
const delegate = (life: Life, helper: Agent): ToolSet[string] =>
  agentTool(helper, {
    description: 'Helps.',
    observers: [(event, { runId }) => life.onChildEvent(life.pathOf(runId), event)],
  }) as never

/** A step in which two callers use one key of `once`, and two ask the same question. */
function twoCallers(life: Life): Step {
  return async (run) => {
    if (run.state.iteration > 0) return undefined
    const caller = async (name: string): Promise<void> => {
      await life.gates.pass(`${name} caller`)
      const value = await run.once('rate', async () => {
        await life.gates.pass('rate')
        return life.fresh()
      })
      life.witness.promises(`once rate, ${name} caller,`, (event) => event.type === 'noted' && event.value === value)
      life.witness.does({ call: 'rate', part: name, isOnce: false, value })
      await run.ask('sure', confirm({ prompt: 'Sure?' }))
      life.witness.promises(`ask sure, ${name} caller,`, (event) => event.type === 'replied' && event.ask === 'sure')
    }
    await Promise.all([caller('first'), caller('second')])
    return undefined
  }
}

/** The nodes that a visit of each comes before. */
const after: Readonly<Record<string, readonly string[]>> = {
  first: ['left', 'right', 'last'],
  left: ['last'],
  right: ['last'],
  last: [],
}

/**
 * A graph whose branches end before the model works. I3: a node begins when the journal has that those before it are over. I5: one that
 * is over does nothing again.
 */
export function scheduleGraph(life: Life, work: Step): Step {
  const { gates } = life
  const node =
    (name: string, isOver: (place: Place) => boolean = () => true): Step =>
    async (run) => {
      const { witness } = life
      witness.promises(
        `what is before the node ${name}`,
        (event) => event.type === 'noted' && isPlace(event.value) && isOver(event.value),
      )
      if (witness.deeds.some(({ call }) => after[name]?.some((next) => call === `node ${next}`)))
        witness.report('I5', `The node ${name} is visited again.`)
      const value = await run.once('value', async () => {
        await gates.pass(`value of ${name}`)
        return life.fresh()
      })
      witness.does({ call: `node ${name}`, part: 'acts', isOnce: false, value })
      await gates.pass(`node ${name}`)
      if (name === 'right') await run.ask('sure', confirm({ prompt: 'Sure?' }))
      return undefined
    }
  return graph({
    name: 'g',
    nodes: {
      first: node('first'),
      sides: parallel({
        left: node('left', ({ node: at }) => at === 'sides'),
        right: node('right', ({ node: at }) => at === 'sides'),
      }),
      last: node('last', ({ node: at }) => at === 'last'),
      work: untilAnswer(work),
    },
    start: 'first',
    edges: { first: 'sides', sides: 'last', last: 'work', work: END },
  })
}

interface Place {
  readonly node: string
}

const isPlace = (value: unknown): value is Place => typeof (Object(value) as Partial<Place>).node === 'string'

/** A model that makes these calls, one list a turn, and answers then. It finds its turn in what it is given. */
export function heldModel(
  life: Life,
  turns: readonly (readonly ToolName[])[],
  onRequest: (turn: number) => void = () => {},
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'schedules',
    modelId: 'held',
    supportedUrls: {},
    async doStream({ prompt, abortSignal }: LanguageModelV4CallOptions) {
      const turn = prompt.filter(({ role }) => role === 'assistant').length
      life.witness.works(`A model is asked for turn ${turn}`)
      if (!abortSignal?.aborted) onRequest(turn)
      await life.hold('model', `model ${turn}`)
      const calls = (turns[turn] ?? []).map((name, index) => ({ id: `${turn}-${index}`, name, input: inputOf(name) }))
      return {
        stream: plainStream(turnParts({ text: 'Done.', calls }), (index) => life.hold('stream', `part ${index}`)),
      }
    },
    doGenerate: () => Promise.reject(new Error('It only streams.')),
  }
}
