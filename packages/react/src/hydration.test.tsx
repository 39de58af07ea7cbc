import { type Agent, choice, type Run, type RunState } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { act, waitFor } from '@testing-library/react'
import { type ReactNode, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { SignalOutlet } from './outlet/SignalOutlet.tsx'
import { createRunStore } from './RunStore.ts'
import { useMessages } from './selections.ts'
import { askingAgent, EveryHook } from './testing/testSupport.tsx'
import { useReAct } from './useReAct.ts'

afterEach(() => document.body.replaceChildren())

interface Waiting {
  readonly agent: Agent<string>
  readonly run: Run<string>
  readonly journal: Journal
}

/** A run that waits for a reply, of a journal that the server has. */
async function waitingRun(): Promise<Waiting> {
  const journal = memoryJournal()
  const agent = askingAgent(choice({ prompt: 'Which?', options: ['a', 'b'] }))
  const run = agent.start('Go', { id: 'trip', journal })
  await run.settled
  return { agent, run, journal }
}

function onServer(node: ReactNode): string {
  vi.stubGlobal('document', undefined)
  try {
    return renderToString(node)
  } finally {
    vi.unstubAllGlobals()
  }
}

async function hydrate(html: string, node: ReactNode) {
  const errors: unknown[] = []
  const logged = vi.spyOn(console, 'error').mockImplementation((...words) => void errors.push(words))
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = html
  const first = container.firstElementChild
  await act(async () => {
    hydrateRoot(container, node, { onRecoverableError: (error) => errors.push(error) })
  })
  logged.mockRestore()
  return { container, errors, isKept: container.firstElementChild === first }
}

it('finds in every hook what the server rendered, and then shows how far the run is', async () => {
  const { agent, run, journal } = await waitingRun()
  const html = onServer(<EveryHook agent={agent} run={run} />)
  const here = await agent.resume('trip', { journal })
  createRunStore(here)
  await here.reply('1/tool/0/ask/0', 'a')
  await here.settled

  const { container, errors, isKept } = await hydrate(html, <EveryHook agent={agent} run={here} />)

  expect(html).not.toContain('Done.')
  expect([errors, isKept]).toEqual([[], true])
  expect(container.textContent).toContain('Done.')
})

it('shows the state of the server until the run is loaded, and resumes it', async () => {
  const { agent, run, journal } = await waitingRun()
  const initialState = JSON.parse(JSON.stringify(run.state))
  const Page = ({ journal }: { readonly journal?: Journal }) => {
    const { asks, answer, reply, isAttaching } = useReAct(agent, {
      runId: 'trip',
      initialState,
      ...(journal && { journal }),
    })
    return (
      <button type="button" onClick={() => asks[0] && reply(asks[0].id, 'a')}>
        {`${asks[0]?.prompt} ${answer} ${isAttaching}`}
      </button>
    )
  }
  const html = onServer(<Page />)

  const { container, errors } = await hydrate(html, <Page journal={journal} />)
  const before = container.textContent
  container.querySelector('button')?.click()

  expect(html).toContain('Which? undefined true')
  expect(errors).toEqual([])
  expect(before).toBe('Which? undefined false')
  await waitFor(() => expect(container.textContent).toBe('undefined Done. false'))
})

it.each<unknown>([{}, { history: [] }, [], 5])(
  'says what initialState must be, where it is %j',
  async (initialState) => {
    const { agent } = await waitingRun()
    const Page = () => <p>{useReAct(agent, { runId: 'trip', initialState: initialState as RunState }).answer}</p>

    expect(() => onServer(<Page />)).toThrow('The initialState of useReAct() must be the state of a run')
  },
)

it('renders the transcript and the question on a server, and hydrates them, before the run is found', async () => {
  const { agent, run, journal } = await waitingRun()
  const initialState = JSON.parse(JSON.stringify(run.state))
  const seen: (readonly string[])[] = []
  const Page = ({ journal }: { readonly journal?: Journal }) => {
    const { run: shown } = useReAct(agent, { runId: 'trip', initialState, ...(journal && { journal }) })
    const messages = useMessages(shown)
    useEffect(() => void seen.push(messages.map(({ key }) => key)))
    return (
      <main>
        {messages.map((message) => (
          <p key={message.key}>{message.type === 'question' ? message.ask.prompt : message.type}</p>
        ))}
        <SignalOutlet run={shown} />
      </main>
    )
  }

  const html = onServer(<Page />)
  const { container, errors, isKept } = await hydrate(html, <Page journal={journal} />)

  expect(html).toMatch(/<p>user<\/p><p>call<\/p><p>Which\?<\/p>/)
  expect(html).toContain('1 question waiting')
  expect([errors, isKept]).toEqual([[], true])
  await waitFor(() => expect(container.querySelector('dialog')?.open).toBe(true))
  expect(new Set(seen.map(String)).size).toBe(1)
})

it('says what a user answers before the run is found to the run that is found', async () => {
  const { agent, run, journal } = await waitingRun()
  const initialState = JSON.parse(JSON.stringify(run.state))
  const Page = ({ journal }: { readonly journal?: Journal }) => {
    const shown = useReAct(agent, { runId: 'trip', initialState, ...(journal && { journal }) })
    return (
      <button type="button" onClick={() => shown.run?.reply('1/tool/0/ask/0', 'a')}>
        {`${shown.answer} ${shown.isAttaching}`}
      </button>
    )
  }
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = onServer(<Page />)
  let find = (): void => {}
  const slow: Journal = { ...journal, read: (id) => new Promise((done) => (find = () => done(journal.read(id)))) }
  await act(async () => void hydrateRoot(container, <Page journal={slow} />))

  const before = container.textContent
  container.querySelector('button')?.click()
  find()

  expect(before).toBe('undefined true')
  await waitFor(() => expect(container.textContent).toBe('Done. false'))
})
