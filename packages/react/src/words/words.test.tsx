import {
  AgentError,
  agent,
  approval,
  choice,
  choices,
  confirm,
  declinable,
  form,
  link,
  type Question,
  type Run,
  type TypedQuestion,
  text,
  tool,
} from '@interleave/core'
import { questionEngine } from '@interleave/core/internal'
import { memoryJournal } from '@interleave/core/journal'
import type { CallMessage } from '@interleave/core/observe'
import { manualModel } from '@interleave/test-kit/manualModel'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { useFailureWords } from '../failureWords.ts'
import { FilePicker } from '../files/FilePicker.tsx'
import { useFiles } from '../files/useFiles.ts'
import { McpApp } from '../mcpApp/McpApp.tsx'
import { PermissionList } from '../outlet/PermissionList.tsx'
import { SignalOutlet } from '../outlet/SignalOutlet.tsx'
import { ReActProvider } from '../ReActProvider.tsx'
import { askingAgent } from '../testing/testSupport.tsx'
import { MessageQueue } from '../transcript/MessageQueue.tsx'
import { Transcript } from '../transcript/Transcript.tsx'
import { en } from './en.ts'
import { sayIn, type Words } from './words.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** Each sentence of the table in brackets. Data in the tests is in digits, so a letter outside of brackets is a literal. */
const bracketed = (template: string): string => `⟦${template}⟧`
const pseudo = Object.fromEntries(
  Object.entries(en).map(([key, words]) => {
    if (key === 'locale') return [key, words]
    if (typeof words === 'string') return [key, bracketed(words)]
    return [key, Object.fromEntries(Object.entries(words).map(([category, form]) => [category, bracketed(form)]))]
  }),
) as Words

const attributes = ['aria-label', 'title', 'placeholder', 'alt', 'data-key']

/** Returns the letters in the page that are in no brackets. */
function literals(): readonly string[] {
  const shown = [...document.body.querySelectorAll('*')].flatMap((element) => [
    ...[...element.childNodes].flatMap((node) => (node instanceof Text ? [node.data] : [])),
    ...attributes.flatMap((name) => element.getAttribute(name) ?? []),
  ])
  // A sentence may be spread over nodes, around the values of its slots.
  const whole = document.body.textContent ?? ''
  const outside = whole.replace(/⟦[^⟦⟧]*(?:⟦[^⟦⟧]*⟧[^⟦⟧]*)*⟧/g, '')
  const inAttributes = shown.filter((words) => /\p{L}/u.test(words) && !/⟦|⟧/.test(words) && !whole.includes(words))
  return [...(outside.match(/\p{L}[^\d]*/gu) ?? []), ...inAttributes]
}

function Page({ run }: { readonly run: Run | undefined }) {
  return (
    <ReActProvider words={pseudo}>
      <Transcript run={run} />
      <PermissionList run={run} />
      <MessageQueue run={run} />
      <Picker />
      <SignalOutlet run={run} shortcut={false} />
    </ReActProvider>
  )
}
function Picker() {
  return <FilePicker files={useFiles({ maxBytes: 1 })} />
}
async function show(run: Run): Promise<void> {
  await act(() => run.settled)
  render(<Page run={run} />)
}

const schema = z.object({
  1: z.string().optional(),
  2: z.array(z.string()),
  3: z.enum(['4', '5']),
  6: z.string().meta({ contentMediaType: '7/8' }),
})
const asking = (question: Question): TypedQuestion<unknown> => ({
  question,
  check: (value) => ({ ok: true, value }),
  engine: questionEngine,
})
const extension = { limit: 'iterations', used: 3, allowed: 3, suggested: 5 }
const interrupted = asking({
  kind: 'choice',
  prompt: '1 was interrupted and may already have run. What should happen?',
  options: [
    { value: 'again', label: 'Run it again' },
    { value: 'done', label: 'It already ran' },
    { value: 'skip', label: 'Skip it' },
  ],
})
const options = Array.from({ length: 20 }, (_, index) => String(index))
const questions: readonly (readonly [string, TypedQuestion<unknown>])[] = [
  ['a choice', choice({ prompt: '1?', options })],
  ['choices', choices({ prompt: '1?', options: ['2', '3', '4'], min: 1, max: 2 })],
  ['a yes or no that can be declined', declinable(confirm({ prompt: '1?' }))],
  ['a text', text({ prompt: '1'.repeat(2_000), placeholder: '2' })],
  ['a form', form({ prompt: '1?', schema })],
  ['an address', link({ prompt: '1?', url: 'https://1.2.3.4/' })],
  ['an unsafe address', asking({ kind: 'link', prompt: '1?', url: '1:2' })],
  ['a limit', asking({ kind: 'extension', prompt: 'The limit of 3 iterations is reached. Go on?', ...extension })],
  [
    'a limit that is near',
    asking({ kind: 'extension', prompt: '3 of 4 tokens used. Go on for longer, or finish now?', ...extension }),
  ],
  ['a call that may have run', interrupted],
]
/** The names of the agent, the tool and the parts of an address are data. */
const isData = (words: string): boolean => /^(asker|ask|https:.*|byte.*|dev|JSON)/.test(words)

it.each(questions)('says nothing outside of the table: %s', async (_, question) => {
  await show(askingAgent(question).start('1', { journal: memoryJournal() }))

  expect(literals().filter((words) => !isData(words))).toEqual([])
})

it('says nothing outside of the table: an approval, read and edited and refused and approved', async () => {
  const inputSchema = z.object({ 1: z.boolean(), 2: z.string(), 3: z.array(z.string()), 4: z.object({}) })
  const tool1 = tool({ inputSchema, approve: approval(), execute: () => '1' })
  const input = { 1: false, 2: '', 3: [], 4: {} }
  const turns = [{ calls: [{ name: '_1', input }] }, { calls: [{ name: '_1', input }] }, '2'] as const
  const run = agent({ name: '0', model: scriptedModel(...turns), tools: { _1: tool1 } }).start('1')
  await show(run)
  const literal: string[] = [...literals()]
  const press = (name: keyof Words) => userEvent.click(screen.getByRole('button', { name: String(pseudo[name]) }))

  await press('edit')
  literal.push(...literals())
  await press('discard')
  await press('refusing')
  literal.push(...literals())
  await press('refuse')
  await waitFor(() => expect(run.log.filter(({ type }) => type === 'asked')).toHaveLength(2))
  await userEvent.selectOptions(await screen.findByLabelText(pseudo.nextTime), pseudo.allowAny)
  await press('approve')
  await waitFor(() => expect(run.state.signal?.type).toBe('answer'))
  await screen.findByRole('button', { name: pseudo.takeBack })
  literal.push(...literals())

  // The values of the input, in the card of the call.
  expect(literal.filter((words) => !words.startsWith('false'))).toEqual([])
})

it('has the plural forms and numbers of its language', () => {
  const say = sayIn({
    ...en,
    locale: 'pl',
    questionsWaiting: {
      one: '{count} pytanie',
      few: '{count} pytania',
      many: '{count} pytań',
      other: '{count} pytania',
    },
  })

  const said = [0, 1, 2, 5, 22, 1_234_567].map((count) => say('questionsWaiting', { count }))

  expect(said.map((words) => words.replace(/\s/g, ' '))).toEqual([
    '0 pytań',
    '1 pytanie',
    '2 pytania',
    '5 pytań',
    '22 pytania',
    '1 234 567 pytań',
  ])
})

it('isolates what is in the slots of a text of another direction, and reads no slots in them', () => {
  const hebrew = sayIn({ ...en, removeNamed: 'הסר {item}', reply: 'שלח' })

  expect(hebrew('removeNamed', { item: 'photo.png' })).toBe('הסר \u2068photo.png\u2069')
  expect(sayIn(en)('removeNamed', { item: 'תמונה' })).toBe('Remove \u2068תמונה\u2069')
  expect(sayIn(en)('removeNamed', { item: '{count}' })).toBe('Remove {count}')
})

it('lets an inner provider change single words', async () => {
  const run = askingAgent(text({ prompt: '1?' })).start('Go')
  await run.settled

  render(
    <ReActProvider words={{ answerLater: 'Später' }}>
      <ReActProvider words={{ reply: 'Absenden' }}>
        <SignalOutlet run={run} />
      </ReActProvider>
    </ReActProvider>,
  )

  expect(screen.getByRole('button', { name: 'Absenden' })).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Später/ })).toBeTruthy()
})

const providerSays = "Incorrect API key provided. It's from 10.0.0.7"
/** A model that fails so, with a status. */
const failingModel = (statusCode: number) =>
  scriptedModel(() => {
    throw Object.assign(new Error(providerSays), {
      statusCode,
      isRetryable: true,
      responseHeaders: { 'retry-after': '9' },
    })
  })
const shown = (): string => document.body.textContent ?? ''

it('words a failure of the run and of a call, and says nothing of what a provider or a tool said', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const _1 = tool({ inputSchema: z.object({}), execute: () => Promise.reject(new Error(providerSays)) })
  const model = scriptedModel({ calls: [{ name: '_1', input: {} }] }, () => {
    throw new Error(providerSays)
  })
  await show(agent({ name: '0', model, tools: { _1 } }).start('1'))

  expect(literals()).toEqual([])
  expect(shown()).toContain(`⟦${en.failures.model_failed}⟧`)
  expect(shown()).toContain(`⟦${en.failures.tool_failed}⟧`)
  expect(shown()).not.toContain('10.0.0.7')
  expect(log.mock.calls.flat().join()).toContain(providerSays)
})

it('words the note of a service that is busy', async () => {
  const run = agent({ name: '0', model: failingModel(429) }).start('1')
  render(<Page run={run} />)

  await waitFor(() => expect(document.querySelector('[data-interleave="busy"]')).toBeTruthy())

  expect(literals()).toEqual([])
  await act(() => run.stop())
})

it('words what a queue says, and why it could not', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const model = manualModel()
  const run = agent({ name: '0', model }).start('1')
  await model.called(1)
  await run.say('2')
  render(<MessageQueue run={run} />, {
    wrapper: ({ children }) => <ReActProvider words={pseudo}>{children}</ReActProvider>,
  })
  const said = [...literals()]
  run.say = () => Promise.reject(new AgentError('remote_failed', providerSays))

  await userEvent.click(await screen.findByRole('button', { name: pseudo.withdraw }))
  await screen.findByText(`⟦${en.failures.remote_failed}⟧`)

  expect([...said, ...literals()]).toEqual([])
  expect(log.mock.calls.flat().join()).toContain(providerSays)
  await act(() => run.stop())
})

it('words why a reply was not accepted', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const run = askingAgent(text({ prompt: '1?' })).start('1')
  await show(run)
  run.reply = () => Promise.reject(new AgentError('remote_failed', providerSays))

  await userEvent.type(screen.getByRole('textbox'), '2')
  await userEvent.click(screen.getByRole('button', { name: pseudo.reply }))
  await screen.findByText(`⟦${en.failures.remote_failed}⟧`)

  expect(literals().filter((words) => !isData(words))).toEqual([])
  expect(log.mock.calls.flat().join()).toContain(providerSays)
})

it('words why an app is not shown', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const state = { status: 'failed', error: providerSays } as const
  const apps = { view: () => failedView(state), sandbox: 'about:blank' }

  render(
    <ReActProvider words={pseudo}>
      <McpApp apps={apps as never} message={callMessage} />
    </ReActProvider>,
  )

  expect(literals()).toEqual([])
  expect(shown()).toContain(`⟦${en.failures.tools_unavailable}⟧`)
  expect(log.mock.calls.flat().join()).toContain(providerSays)
})

const failedView = (state: object) => {
  const nothing = () => () => {}
  return { subscribe: nothing, getState: () => state, getAsking: () => undefined, open: nothing, show: nothing }
}
const callMessage: CallMessage = { type: 'call', key: '1', tool: '1', state: 'done', input: {}, output: 1 } as never

it('lets a translation word single failures, and an inner provider others', () => {
  const inWords = ({ children }: { readonly children: ReactNode }) => (
    <ReActProvider words={{ failures: { too_many: 'Zu viel.', stopped: 'Aus.' } }}>
      <ReActProvider words={{ failures: { stopped: 'Halt.' } }}>{children}</ReActProvider>
    </ReActProvider>
  )
  const { result } = renderHook(() => useFailureWords(), { wrapper: inWords })

  const words = (['too_many', 'stopped', 'too_deep'] as const).map((code) =>
    result.current(new AgentError(code, 'No.')),
  )

  expect(words).toEqual(['Zu viel.', 'Halt.', en.failures.too_deep])
})

it('shows the words that it has where those of a file of translations are missing or of another kind', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const given: unknown = {
    locale: 'de_AT',
    questionsWaiting: { one: '{count} Frage' },
    answerLater: null,
    reply: { other: 'Senden' },
    inAgent: undefined,
    failures: { model_failed: 7, too_many: 'Zu viel.' },
  }
  const words = given as Partial<Words>
  const run = askingAgent(text({ prompt: '1?' })).start('Go')
  await run.settled

  const show = (given: Partial<Words>) => (
    <ReActProvider words={given}>
      <SignalOutlet run={run} />
    </ReActProvider>
  )
  const { rerender } = render(show(words))
  rerender(show({ ...words }))

  expect(screen.getByText('1 question waiting')).toBeTruthy()
  expect(screen.getByRole('button', { name: /^Answer later/ })).toBeTruthy()
  const missing = warned.mock.calls.map(([line]) => /`(\w+)`/.exec(String(line))?.[1])
  expect(missing).toEqual(['questionsWaiting', 'answerLater', 'reply'])
})

it('takes the locale of a page for none if it is no language tag', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const run = askingAgent(text({ prompt: '1?' })).start('Go')
  await run.settled

  render(
    <ReActProvider words={{ locale: 'German!' }}>
      <SignalOutlet run={run} />
    </ReActProvider>,
  )

  expect(screen.getByText('1 question waiting')).toBeTruthy()
})
