import { AgentError, type AgentHandle, type Event } from '@interleave/core'

import {
  type CheckedFile,
  checkWholeFile,
  denyConsent,
  fold,
  idChange,
  isAgent,
  messageOf,
  openCalls,
  renameRun,
  runFile,
  sameStored,
} from '@interleave/core/internal'
import { importRun } from '@interleave/core/journal'
import type { Bodies } from './bodies.ts'
import type { RequestContext } from './context.ts'
import { json, otherRun, unknownAgent } from './problem.ts'
import type { RunNames } from './runNames.ts'

/** Imports a file that the server exported. A file with an open call is rejected: it could repeat an approved call. */
export async function restoreRun(context: RequestContext, body: Bodies['import']): Promise<Response> {
  const { seals, principal, names, journal, runId } = context
  const file = wholeFile(await seals.open(body, principal))
  const id = names.toShown(runId)
  const logs = [file.events, ...file.below]
  for (const log of logs) checkCalls(log, context.agents)
  const [events = [], ...below] = logs.map((log) => renamedLog(log, { from: file.runId, to: runId, names }))
  const known = await journal.read(runId)
  if (known.length > 0) return again(known, events, id)
  try {
    await importRun(runFile(events, { below }), { journal, host: { newId: refuseNewId } })
  } catch (error) {
    const meanwhile = await journal.read(runId)
    if (meanwhile.length > 0) return again(meanwhile, events, id)
    throw error
  }
  return json({ runId: id, length: (await journal.read(runId)).length }, 201)
}

/** Validates a file of this server. One of an agent that hides its thoughts lacks what its model would need. */
function wholeFile(given: unknown): CheckedFile {
  try {
    return checkWholeFile(given)
  } catch (error) {
    throw refused(messageOf(error))
  }
}

/** Rejects a new id: the run must get the id of the request. */
function refuseNewId(): never {
  throw otherRun()
}

/** Returns the existing run of a repeated request. It may have continued since. */
function again(known: readonly Event[], events: readonly Event[], runId: string): Response {
  if (!sameStored(known.slice(0, events.length), events)) throw otherRun()
  return json({ runId, length: known.length }, 200)
}

/** Checks that the agent has the called tools. An agent of a child run may be known only to its parent. */
function checkCalls(events: readonly Event[], agents: ReadonlyMap<string, AgentHandle>): void {
  const state = fold(events)
  const agent = agents.get(state.agent)
  if (!agent && !state.parent) throw unknownAgent(state.agent)
  const template = agent && (isAgent(agent) ? agent : agent.template)
  if (agent && !template) throw refused('The tools of its agent are not known here.')
  if (openCalls(state).length > 0) throw refused('A call is open at its end. Export runs where all calls are done.')
  const called = state.history.flat().flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))
  const isClosed = template && !template.backend.mayCall && !template.live
  const unknown =
    isClosed && called.find(({ key, name }) => wasCalled(events, key) && !Object.hasOwn(template.tools, name))
  if (unknown) throw refused(`The agent has no tool "${unknown.name}", which the run has called.`)
}

const wasCalled = (events: readonly Event[], call: string): boolean =>
  events.some((event) => event.type === 'claimed' && event.call === call)

interface Renaming {
  readonly from: string
  readonly to: string
  readonly names: RunNames
}

function renamedLog(events: readonly Event[], { from, to, names }: Renaming): readonly Event[] {
  return renameRun(denyConsent(events), idChange(from, to)).map((event) =>
    event.type === 'started' && event.forkedFrom
      ? { ...event, forkedFrom: { ...event.forkedFrom, runId: names.toKept(event.forkedFrom.runId) } }
      : event,
  )
}

const refused = (why: string): AgentError => new AgentError('request_invalid', `The file cannot be imported. ${why}`)
