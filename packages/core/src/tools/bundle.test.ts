import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, reasonAct, type Step, type ToolSet, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { bundle } from './bundle.ts'

const named = (name: string) =>
  tool({ description: `Does ${name}.`, inputSchema: z.object({}), effect: 'readOnly', execute: () => `did ${name}` })
const files = bundle({ description: 'Opens tools for files.', tools: { read: named('read'), write: named('write') } })
const web = bundle({ description: 'Opens tools for the web.', tools: { fetch: named('fetch') } })
const calling = (...names: string[]): ScriptedTurn => ({ calls: names.map((name) => ({ name, input: {} })) })

function made(tools: ToolSet, ...turns: readonly ScriptedTurn[]) {
  const model = scriptedModel(...turns)
  const told = () => model.calls.map(({ tools: given = [] }) => given.map(({ name }) => name).join(' '))
  return { model, told, a: agent({ name: 'a', model, tools }) }
}
const resultsOf = ({ calls }: ReturnType<typeof scriptedModel>, turn: number) => {
  const last = calls[turn]?.prompt.at(-1)
  return last?.role === 'tool' && last.content.map((part) => 'output' in part && part.output)
}

it('tells the model of its tools once it is called, after those that it knew', async () => {
  const { a, told, model } = made(
    { files, web, other: named('other') },
    calling('web'),
    calling('files'),
    calling('read'),
    'Done.',
  )
  await a.start('Go', { observers: [laws()] }).settled

  expect(told()).toEqual([
    'files web other',
    'files web other fetch',
    'files web other fetch read write',
    'files web other fetch read write',
  ])
  expect(resultsOf(model, 1)).toEqual([
    { type: 'json', value: { opened: [{ name: 'fetch', description: 'Does fetch.' }] } },
  ])
  expect(resultsOf(model, 3)).toEqual([{ type: 'text', value: 'did read' }])
})

it('tells the model that calls into a closed bundle to open it, also in the turn that opens it', async () => {
  const { a, model } = made({ files }, calling('read'), calling('files', 'read'), 'Done.')
  await a.start('Go').settled

  const value = '"read" can be called once "files" is open. Call "files" first.'
  expect(resultsOf(model, 1)).toEqual([{ type: 'error-text', value }])
  expect(resultsOf(model, 2)).toMatchObject([{ type: 'json' }, { type: 'error-text', value }])
})

it('stays open after messages, a compaction and a reload', async () => {
  const compacting: Step = (run) => {
    const due = run.state.iteration === 2 && run.state.compactions === 0
    if (due) run.emit({ type: 'compacted', messages: [{ role: 'system', content: 'Short.' }], keep: 0 })
    return undefined
  }
  const model = scriptedModel(calling('files'), 'Open.', 'Still.', calling('read'), 'Done.')
  const a = agent({ name: 'a', model, tools: { files }, backend: reasonAct({ before: [compacting] }) })
  const journal = memoryJournal()
  const first = a.start('Go', { journal })
  await first.settled
  await first.say('And now?')
  await first.settled

  const run = await a.resume(first.id, { journal })
  await run.say('Read')
  await run.settled

  expect(model.calls[3]?.tools).toHaveLength(3)
  expect(resultsOf(model, 4)).toEqual([{ type: 'text', value: 'did read' }])
})

it('opens bundles in bundles one after the other', async () => {
  const outer = bundle({ description: 'Opens more.', tools: { files, list: named('list') } })
  const { a, told } = made({ outer }, calling('files'), calling('outer'), calling('files'), 'Done.')
  await a.start('Go').settled

  expect(told()).toEqual(['outer', 'outer', 'outer files list', 'outer files list read write'])
})

it('keeps open bundles within what a plan allows', async () => {
  const model = scriptedModel(calling('files'), 'Done.')
  const only: Step = (run) => void run.replan({ tools: ['files', 'read'] })
  const backend = reasonAct({ before: [only] })
  await agent({ name: 'a', model, tools: { files }, backend }).start('Go').settled

  expect(model.calls[1]?.tools?.map(({ name }) => name)).toEqual(['files', 'read'])
})

it('is refused where it is empty, or where a name is taken', () => {
  expect(() => bundle({ description: 'Nothing.', tools: {} })).toThrow('no tools')
  const broken = bundle({ description: 'Broken.', tools: { gone: undefined as never } })
  expect(() => made({ broken })).toThrow('The tool "gone"')
  expect(() => made({ files, read: named('read') })).toThrow('two tools "read"')
  expect(() => made({ a: files, b: files })).toThrow('two tools "read"')
  expect(() => made({ files: bundle({ description: 'Itself.', tools: { files } }) })).toThrow('two tools "files"')
})
