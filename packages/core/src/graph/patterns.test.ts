import { laws } from '@interleave/test-kit/laws'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, answer, type Step } from '../index.ts'
import { END, graph, position, router, untilAnswer, value, wait } from './index.ts'

const lawful = () => ({ observers: [laws()] })
const withBackend = (backend: Step) => agent({ name: 'a', model: scriptedModel(), backend })

/** Tries until it works, or five times. */
function retrying(works: (attempt: number) => boolean) {
  const [attempts, success] = [value('attempts', 0), value('success', false)]
  return graph({
    name: 'retry',
    nodes: {
      attempt: (run) => {
        attempts.set(run, attempts.get(run) + 1)
        return success.set(run, works(attempts.get(run)))
      },
      evaluate: (run) => ({
        type: 'answer',
        output: success.get(run) ? `After ${attempts.get(run)}.` : 'Given up.',
        reason: 'completed',
      }),
    },
    start: 'attempt',
    edges: {
      attempt: 'evaluate',
      evaluate: router(['attempt', END], (run) => (success.get(run) || attempts.get(run) >= 5 ? END : 'attempt')),
    },
  })
}

it.each([
  [1, 'After 1.', 2],
  [3, 'After 3.', 6],
  [9, 'Given up.', 10],
])('retries what works at attempt %i', async (needed, output, visits) => {
  const retry = retrying((attempt) => attempt >= needed)

  const run = withBackend(retry).start('Go', lawful())

  expect(await run.settled).toMatchObject({ type: 'answer', output })
  expect(position(run.state, retry)?.visits).toBe(visits)
})

it('begins to count again with the next request', async () => {
  const run = withBackend(retrying((attempt) => attempt >= 3)).start('Go', lawful())
  await run.settled

  await run.say('Once more')

  expect(await run.settled).toMatchObject({ output: 'After 3.' })
})

/** Writes, reviews and refines, until the score will do or three rounds are over. */
function refining(...scores: readonly number[]) {
  const [draft, verdict] = [value('draft', ''), value('verdict', { score: 0, comment: '' })]
  const rounds = value('rounds', 0)
  const drafts = scores.map((_, round) => `Draft ${round + 1}.`)
  const verdicts = scores.map((score) => ({ calls: [{ name: 'final_answer', input: { score, comment: 'Shorter!' } }] }))
  const writer = scriptedModel(...drafts)
  const critic = scriptedModel(...verdicts)
  const output = z.object({ score: z.number(), comment: z.string() })
  const flow = graph({
    name: 'refinement',
    nodes: {
      draft: untilAnswer(agent({ name: 'writer', model: writer }), { keep: draft }),
      review: untilAnswer(agent({ name: 'critic', model: critic, output: answer(output) }), {
        say: 'Score the draft.',
        keep: verdict,
      }),
      count: (run) => rounds.set(run, rounds.get(run) + 1),
      refine: untilAnswer(agent({ name: 'writer', model: writer }), {
        say: (run) => `Write it again: ${verdict.get(run).comment}`,
        keep: draft,
      }),
      finalize: (run) => ({ type: 'answer', output: draft.get(run), reason: 'completed' }),
    },
    start: 'draft',
    edges: {
      draft: 'review',
      review: 'count',
      count: router(['refine', 'finalize'], (run) =>
        verdict.get(run).score >= 0.9 || rounds.get(run) >= 3 ? 'finalize' : 'refine',
      ),
      refine: 'review',
      finalize: END,
    },
  })
  return { flow, writer }
}

it.each([
  [[0.95], 'Draft 1.'],
  [[0.5, 0.9], 'Draft 2.'],
  [[0.5, 0.6, 0.7], 'Draft 3.'],
])('refines a draft with the scores %j', async (scores, output) => {
  const { flow, writer } = refining(...scores)

  const run = withBackend(flow).start('Write.', lawful())

  expect(await run.settled).toMatchObject({ type: 'answer', output })
  expect(writer.calls).toHaveLength(scores.length)
  if (scores.length > 1) expect(JSON.stringify(writer.calls[1]?.prompt)).toContain('Write it again: Shorter!')
})

/** Looks at a job until it is over, once a minute. */
function polling(job: () => Promise<'running' | 'complete' | 'failed'>) {
  const status = value<string>('status', 'running')
  return graph({
    name: 'polling',
    nodes: {
      check: async (run) => {
        status.set(run, await job())
        return { type: 'answer', output: status.get(run), reason: 'completed' }
      },
      wait: wait(60_000),
    },
    start: 'check',
    edges: {
      check: router(['wait', END], (run) => (status.get(run) === 'running' ? 'wait' : END)),
      wait: 'check',
    },
  })
}

it.each(['complete', 'failed'] as const)('polls until the job is %s, on the timers of the host', async (end) => {
  const host = manualHost()
  const looks: number[] = []
  const job = async () => (looks.push(host.now()) < 4 ? 'running' : end)
  const run = withBackend(polling(job)).start('Go', { host, ...lawful() })

  await host.advance(179_999)
  expect([looks, host.timers]).toEqual([[0, 60_000, 120_000], 1])
  await host.advance(1)

  expect(await run.settled).toMatchObject({ type: 'answer', output: end })
  expect(looks).toHaveLength(4)
})
