import { idTaken } from '@interleave/connect/internal'
import { type Agent, AgentError, type Failure, type Host, type Listener, type Run } from '@interleave/core'
import { toFailure } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { isBegunBy } from '@interleave/server/internal'
import type { OpenCommand } from './inboxObject.ts'
import type { Inbox } from './ingress.ts'
import type { StartCommand } from './sentCommand.ts'

export interface OpenRunOptions {
  readonly agents: ReadonlyMap<string, Agent>
  readonly journal: Journal
  readonly host: Host
  readonly inbox: Pick<Inbox, 'done'>
  readonly observers: readonly Listener[]
  readonly contextOf?: ((runId: string) => unknown) | undefined
  readonly commands: readonly OpenCommand[]
  /** The start command, if it is not among them. */
  readonly start?: StartCommand
}

export interface OpenedRun {
  /** The run; undefined if there is nothing to do. */
  readonly run?: Run
  readonly isNew: boolean
}
/** The reason why a run cannot start, which stays the same for every attempt. */
export interface RefusedRun {
  readonly failure: Failure
}

/** Opens a run: starts or resumes it. */
export async function openRun(runId: string, options: OpenRunOptions): Promise<OpenedRun | RefusedRun> {
  const { agents, journal, host, observers, inbox, commands } = options
  const events = await journal.read(runId)
  const [started] = events
  if (started?.type === 'started') {
    if (options.start && !isBegunBy(events, options.start))
      return { failure: toFailure(idTaken(runId), 'journal_conflict') }
    const run = await findAgent(agents, started.agent).resume(runId, {
      journal,
      host,
      observers,
      context: await options.contextOf?.(runId),
    })
    const isOver = run.state.signal && commands.length === 0
    return { ...(!isOver && { run }), isNew: false }
  }
  const begun = options.start ?? commands.find(isStart)?.command
  if (begun) return beginRun(runId, begun, options)
  const unknown = new AgentError('run_unknown', `There is no run "${runId}".`)
  for (const { id } of commands) await inbox.done(id, { failure: toFailure(unknown, 'run_unknown') })
  return { isNew: false }
}

async function beginRun(
  runId: string,
  { agent, input, key, history }: StartCommand,
  { agents, journal, host, observers, contextOf, inbox, commands }: OpenRunOptions,
): Promise<OpenedRun | RefusedRun> {
  const template = findAgent(agents, agent)
  const context = await contextOf?.(runId)
  try {
    const run = template.start(input, {
      ...{ id: runId, journal, host, observers, context },
      ...(key !== undefined && { key }),
      ...(history && { history }),
    })
    return { run, isNew: true }
  } catch (error) {
    const failure = toFailure(error, 'options_invalid')
    for (const { id } of commands) await inbox.done(id, { failure })
    return { failure }
  }
}

const isStart = (open: OpenCommand): open is OpenCommand & { readonly command: StartCommand } =>
  open.command.type === 'start'

/** Finds the agent. If this deployment does not have it yet, the run and its commands wait. */
function findAgent(agents: ReadonlyMap<string, Agent>, name: string): Agent {
  const agent = agents.get(name)
  if (agent) return agent
  const known = [...agents.keys()].join(', ')
  throw new AgentError(
    'agent_mismatch',
    `There is no agent "${name}" here, only: ${known}. Deploy a host that has it: the run waits.`,
  )
}
