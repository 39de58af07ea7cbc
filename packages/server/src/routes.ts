import { type Bodies, bodies } from './bodies.ts'
import { replyToRun, resumeRun, sayToRun, stopRun } from './commandRun.ts'
import { deleteRun } from './deleteRun.ts'
import type { Described } from './described.ts'
import { downloadRun } from './downloadRun.ts'
import { forkRun } from './forkRun.ts'
import type { Action } from './handlerOptions.ts'
import { listRuns } from './listRuns.ts'
import type { Visit } from './place.ts'
import { readRun } from './readRun.ts'
import { restoreRun } from './restoreRun.ts'
import { startRun } from './startRun.ts'
import { streamRun } from './streamRun.ts'
import { takeAnswer } from './takeAnswer.ts'

/** One thing that can be asked of a handler. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly action: Action
  readonly summary: string
  /** Names in the address, and what they are for. */
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Described
  answer(visit: Visit, body: never): Promise<Response>
}

const post = <Name extends keyof Bodies & Action>(
  action: Name,
  path: string,
  { summary, answer }: { summary: string; answer: (visit: Visit, body: Bodies[Name]) => Promise<Response> },
): Route => ({ method: 'POST', path, action, summary, body: bodies[action], answer })

const streamQuery = {
  from: 'The seq of the first event wanted; 0 by default. The header Last-Event-ID comes first.',
  at: 'When the event before it was, to notice that it is another one.',
  follow: 'false ends the stream when the run rests.',
  client: 'Names a client that performs tools.',
  tools: 'The tools that it performs, parted by commas.',
}
const listQuery = {
  agent: 'Only the runs of this agent.',
  below: 'Only the runs below this one, which are left out otherwise.',
  limit: 'How many, 100 at most; 20 by default.',
  before: 'What came as "next" with the page before, or a time in milliseconds.',
}

/** All there is, in the order in which it is described. */
export const routes: readonly Route[] = [
  post('start', '/v1/runs', { summary: 'Begins a run.', answer: startRun }),
  { method: 'GET', path: '/v1/runs', action: 'list', summary: 'Lists runs.', query: listQuery, answer: listRuns },
  {
    method: 'GET',
    path: '/v1/runs/{id}',
    action: 'read',
    summary: 'How a run is, and its open questions.',
    answer: readRun,
  },
  {
    method: 'GET',
    path: '/v1/runs/{id}/events',
    action: 'read',
    summary: 'What happens in a run, as server-sent events.',
    query: streamQuery,
    answer: streamRun,
  },
  post('say', '/v1/runs/{id}/say', { summary: 'Says something.', answer: sayToRun }),
  post('reply', '/v1/runs/{id}/reply', { summary: 'Answers a question.', answer: replyToRun }),
  post('stop', '/v1/runs/{id}/stop', { summary: 'Ends the work.', answer: stopRun }),
  post('resume', '/v1/runs/{id}/resume', { summary: 'Goes on after a failure or a stop.', answer: resumeRun }),
  post('fork', '/v1/runs/{id}/fork', { summary: 'Begins a run with the first part of this one.', answer: forkRun }),
  post('answer', '/v1/runs/{id}/answers', { summary: 'Says what came of an errand.', answer: takeAnswer }),
  {
    method: 'GET',
    path: '/v1/runs/{id}/export',
    action: 'export',
    summary: 'The whole run as a file.',
    answer: downloadRun,
  },
  {
    method: 'PUT',
    path: '/v1/runs/{id}',
    action: 'import',
    summary: 'Takes a file back that "export" gave, as the run of this id.',
    body: bodies.import,
    answer: restoreRun,
  },
  { method: 'DELETE', path: '/v1/runs/{id}', action: 'delete', summary: 'Deletes a run.', answer: deleteRun },
]
