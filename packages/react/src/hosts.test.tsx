import { remoteAgent, remoteJournal } from '@interleave/connect/http'
import { pageAgent, workerAgent, workerHost } from '@interleave/connect/worker'
import { type Agent, type AgentHandle, localHost } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { createHandler } from '@interleave/server'
import { runSuiteAgents } from '@interleave/test-kit/run/suiteAgents'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { useHistory } from './history/index.ts'
import { ReActProvider, SignalOutlet, useMessages, useReAct } from './index.ts'

afterEach(cleanup)

interface AgentsOfHost {
  readonly asker: AgentHandle
  readonly marker: AgentHandle
  readonly journal: Journal
}
const tools = { mark: () => 7 }
const agents = runSuiteAgents()
const named = (name: string): Agent => agents.find((each) => each.name === name) as Agent

/** The agents by host. They differ in the line that begins with "agentOf". */
const hosts: Readonly<Record<string, () => AgentsOfHost>> = {
  'in the page'() {
    const agentOf = (name: string) => pageAgent(named(name), { tools })
    return { asker: agentOf('asker'), marker: agentOf('marker'), journal: memoryJournal() }
  },
  'in a worker'() {
    const journal = memoryJournal()
    const host = workerHost(agents, { journal })
    const { port1, port2 } = new MessageChannel()
    host.connect(port1)
    const agentOf = (name: string) => workerAgent(port2 as never, name, { tools })
    return { asker: agentOf('asker'), marker: agentOf('marker'), journal }
  },
  'on a server'() {
    const secret = 'a secret for tests only, of 32 bytes and more'
    const handle = createHandler({ agents, journal: memoryJournal(), secret, authorize: () => 'ada' })
    const fetch = (url: string, init: RequestInit) => handle(new Request(url, init))
    const server = { url: 'https://edge.test', fetch, host: localHost }
    const agentOf = (name: string) => remoteAgent({ ...server, name, tools })
    return { asker: agentOf('asker'), marker: agentOf('marker'), journal: remoteJournal(server) }
  },
}

function Chat({ guide, runId }: { readonly guide: AgentHandle; readonly runId?: string }): ReactNode {
  const { run, start, say, status, answer } = useReAct(guide, runId === undefined ? {} : { runId })
  const messages = useMessages(run)
  return (
    <>
      <button type="button" onClick={() => start('confirm')}>
        Start
      </button>
      <button type="button" onClick={() => say('text')}>
        More
      </button>
      <output>{`${status}: ${answer ?? ''}`}</output>
      <ol>
        {messages.map(({ key, type }) => (
          <li key={key}>{type}</li>
        ))}
      </ol>
      <SignalOutlet run={run} />
    </>
  )
}

function Past({ guide }: { readonly guide: AgentHandle }): ReactNode {
  const { runs, remove } = useHistory(guide)
  return runs.map(({ runId, title }) => (
    <button type="button" key={runId} onClick={() => remove(runId)}>
      {`Delete ${title}`}
    </button>
  ))
}

function show(children: ReactNode, journal: Journal) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return render(
    <QueryClientProvider client={client}>
      <ReActProvider journal={journal}>{children}</ReActProvider>
    </QueryClientProvider>,
  )
}
const output = (): string | null | undefined => document.querySelector('output')?.textContent
const messageTypes = (): readonly (string | null)[] =>
  screen.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent)

it.each(Object.entries(hosts))('asks, is answered and spoken to, %s', async (_, create) => {
  const { asker, journal } = create()
  const user = userEvent.setup()
  show(<Chat guide={asker} />, journal)

  await user.click(screen.getByRole('button', { name: 'Start' }))
  await screen.findByRole('dialog', { name: 'Sure?' })
  await user.click(screen.getByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(output()).toContain('settled: Got {"type":"json","value":true}'))
  await user.click(screen.getByRole('button', { name: 'More' }))
  await screen.findByRole('dialog', { name: 'What?' })

  expect(messageTypes()).toEqual(['user', 'call', 'question', 'text', 'user', 'call', 'question'])
})

it.each(Object.entries(hosts))('has the page perform what only a page can, %s', async (_, create) => {
  const { marker, journal } = create()
  const user = userEvent.setup()
  show(<Chat guide={marker} />, journal)

  await user.click(screen.getByRole('button', { name: 'Start' }))

  await waitFor(() => expect(output()).toContain('settled: Got {"type":"json","value":7}'))
})

it.each(Object.entries(hosts))('finds a run again, lists it, and deletes it, %s', async (_, create) => {
  const { asker, journal } = create()
  const user = userEvent.setup()
  const before = show(<Chat guide={asker} />, journal)
  await user.click(screen.getByRole('button', { name: 'Start' }))
  await screen.findByRole('dialog', { name: 'Sure?' })
  before.unmount()
  const [kept] = await journal.list({ agent: 'asker' })

  const after = show(<Chat guide={asker} runId={kept?.runId ?? ''} />, journal)
  await user.click(await screen.findByRole('button', { name: 'No' }))
  await waitFor(() => expect(output()).toContain('"value":false'))
  after.unmount()
  show(<Past guide={asker} />, journal)
  await user.click(await screen.findByRole('button', { name: 'Delete confirm' }))

  await waitFor(() => expect(screen.queryByRole('button')).toBe(null))
  await waitFor(async () => expect(await journal.list()).toEqual([]))
})
