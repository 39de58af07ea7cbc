import { manualHost, scriptedModel } from '@interleave/testing'
import { MockLanguageModelV3 } from 'ai/test'
import { expect, it } from 'vitest'
import { z } from 'zod'
import {
  agent,
  answer,
  choice,
  choices,
  confirm,
  declinable,
  finalAnswer,
  form,
  link,
  reasonAct,
  text,
  textAnswer,
  tool,
} from './index.ts'
import { memoryJournal } from './journal/index.ts'
import { inOrder } from './step.ts'
import {
  act,
  allow,
  compact,
  guardOutput,
  limit,
  limitCalls,
  postprocess,
  retryCompacted,
  think,
  validate,
} from './steps/index.ts'

const model = scriptedModel()
const named = { name: 'a', model }
const fine = tool({ inputSchema: z.object({}), execute: () => 'fine' })

it('is frozen, and so is all that it is made of', () => {
  const tools = { fine }
  const frozen = agent({ ...named, model: [model], tools })

  expect([frozen, frozen.tools, frozen.tools.fine, frozen.models].every(Object.isFrozen)).toBe(true)
  expect(() => Object.assign(frozen, { name: 'b' })).toThrow()
})

it('does not change when the options do', () => {
  const options = { ...named, tools: { fine } as Record<string, object> }
  const described = agent(options)

  options.tools.other = fine

  expect(Object.keys(described.tools)).toEqual(['fine'])
})

/** Options as a program without types may pass them. */
const untyped = (options: unknown) => options as Parameters<typeof agent>[0]

it.each<[object, RegExp]>([
  [{ model }, /needs a name/],
  [{ name: '', model }, /needs a name/],
  [{ name: 'a' }, /needs a model/],
  [{ name: 'a', model: [] }, /needs a model/],
  [{ name: 'a', model: 'gpt-6' }, /Give a model object, such as openai\("gpt-6"\)/],
  [{ name: 'a', model: 'openai/gpt-6' }, /such as openai\("gpt-6"\), or languageModel\("openai\/gpt-6"\)/],
  [{ name: 'a', model: 'anthropic/claude-6' }, /such as anthropic\("claude-6"\)/],
  [{ name: 'a', model: new MockLanguageModelV3() }, /interface v3.*AI SDK 7/],
  [{ name: 'a', model: [model, {}] }, /interface unknown/],
  [{ name: 'a', model: Object.assign(() => model, { specificationVersion: 'v4' }) }, /is a provider\. Call it/],
  [{ ...named, backend: {} }, /such as reasonAct\(\)/],
  [{ ...named, instructions: 5 }, /must be a string/],
  [{ name: 5, model }, /`name` of agent\(\) must be a string/],
  [{ ...named, tools: [fine] }, /by name: \{ search \}/],
  [{ ...named, tools: 'search' }, /by name/],
  [{ ...named, tools: { fine: null } }, /Make one with tool/],
  [{ ...named, tools: { 'not fine': fine } }, /letters, digits/],
  [{ ...named, tools: { ['x'.repeat(65)]: fine } }, /1 to 64/],
  [{ ...named, tools: { fine: {} } }, /needs an inputSchema.*z\.object/],
  [{ ...named, tools: { fine: { ...fine, inputSchema: 5 } } }, /The tool "fine" needs a schema/],
  [{ ...named, tools: { fine: { ...fine, inputSchema: z.object({ at: z.date() }) } } }, /"fine" has a schema.*Date/],
  [{ ...named, tools: { fine: { ...fine, execute: 'run' } } }, /`execute` of the .* must be a function/],
  [{ ...named, tools: { fine: { ...fine, effect: 'twice' } } }, /"readOnly" or "idempotent" or "atMostOnce"/],
  [{ ...named, tools: { fine: { ...fine, approve: 'maybe' } } }, /`approve` of the .* must be approval\(\)/],
  [{ ...named, tools: { fine: { ...fine, timeoutMs: -1 } } }, /a number above 0/],
  [{ ...named, tools: { fine: { ...fine, timeoutMs: Number.NaN } } }, /a number above 0/],
  [{ ...named, tools: { fine: { ...fine, contextSchema: 5 } } }, /The context of the tool "fine" needs a schema/],
  [{ ...named, maxSteps: 5 }, /agent\(\) has no option `maxSteps`.*reasonAct\(\{ limits: \{ iterations: 20 \} \}\)/],
  [{ ...named, stopWhen: [] }, /no option `stopWhen`.*limits/],
  [{ ...named, system: 'Be brief.' }, /no option `system`. Instead, use `instructions`/],
  [{ ...named, instrutions: 'Be brief.' }, /no option `instrutions`. Did you mean `instructions`\?/],
  [{ ...named, color: 'red' }, /no option `color`. It has: name, model/],
  [{ ...named, output: 'number' }, /`output` of agent\(\) must be made with answer\(\)/],
  [{ ...named, prices: { m: { input: 1, output: 1 } } }, /`prices` of agent\(\) must be made with prices\(\)/],
  [{ ...named, output: z.object({}) }, /output: answer\(schema\)/],
])('throws at once for %o, saying what to do', (options, message) => {
  expect(() => agent(untyped(options))).toThrow(message)
  expect(() => agent(untyped(options))).toThrow(expect.objectContaining({ name: 'AgentError' }))
})

it.each<[() => unknown, RegExp]>([
  [() => agent({ ...named, output: answer(z.object({ at: z.date() })) }), /answer\(\) has a schema.*Date/],
  [() => agent({ ...named, output: answer(z.object({})), tools: { final_answer: fine } }), /Rename one of them/],
  [() => answer(5 as never), /answer\(\) needs a schema/],
  ...[undefined, null, 7, 'x', [], Promise.resolve({})].map((given): [() => unknown, RegExp] => [
    () => agent(given as never),
    /The options of agent\(\) must be an object/,
  ]),
  [() => act(Promise.resolve({}) as never), /The options of act\(\) must be an object/],
  [() => tool({ ...fine, timeoutMs: '5' as never }), /`timeoutMs` of tool\(\) must be a number above 0/],
  [() => tool({ ...fine, timeoutMs: 0 }), /`timeoutMs` of tool\(\) must be a number above 0/],
  [() => act({ parallel: 0 }), /use 1 or more/],
  [() => act({ parallel: Number.NaN }), /`parallel` of act\(\) must be a number/],
  [() => act({ timeoutMs: 0 }), /a number above 0/],
  [() => think({ retries: Number.NaN }), /`retries` of think\(\) must be a number/],
  [() => reasonAct({ before: null } as never), /`before` of reasonAct\(\) is null. Leave it out/],
  [() => agent(named).start('Go', null as never), /The options of start\(\) must be an object/],
  [() => agent(named).start('Go', { id: 5 } as never), /`id` of a run must be/],
  [() => agent(named).start('Go', { history: 'Hello' } as never), /history has a wrong or missing "message"/],
  ...[{}, null, { now: () => 0 }, () => 0, Promise.resolve(manualHost())].map((host): [() => unknown, RegExp] => [
    () => agent(named).start('Go', { host } as never),
    /`host` of start\(\) must be an object with now\(\), newId\(\), timer\(\) and perform\(\)/,
  ]),
  [() => inOrder(), /needs steps/],
  [() => limit({ iterations: 0 }), /above 0, or leave it out/],
  [() => limit({ steps: 5 } as object), /The limits are: iterations/],
  [() => reasonAct({ limits: { ms: -1 } }), /above 0/],
  [() => agent(named).start('Go', { maxSteps: 5 } as object), /start\(\) has no option `maxSteps`.*limits/],
  [() => agent(named).start('Go', { journel: 5 } as object), /Did you mean `journal`\?/],
  [() => tool({ ...fine, parameters: {} } as never), /tool\(\) has no option `parameters`. Instead, use `inputSchema`/],
  [() => tool({ ...fine, timeout: 5 } as never), /tool\(\) has no option `timeout`. Did you mean `timeoutMs`\?/],
  [
    () => agent({ ...named, tools: { fine: { ...fine, description: 5 } } }),
    /The `description` of the tool "fine" must be/,
  ],
  [() => reasonAct({ limit: {} } as never), /reasonAct\(\) has no option `limit`. Did you mean `limits`\?/],
  [() => think({ retry: 1 } as never), /think\(\) has no option `retry`. It has: settings, retries/],
  [() => reasonAct({ think: { temperature: 0 } } as never), /think\(\) has no option `temperature`. Instead, set/],
  [() => act({ timeout: 5 } as never), /act\(\) has no option `timeout`. Did you mean `timeoutMs`\?/],
  [() => reasonAct({ temperature: 0 } as never), /reasonAct\(\) has no option `temperature`. Instead, set `settings`/],
  [() => choice(undefined as never), /The options of choice\(\) must be an object: \{ prompt, options \}/],
  [() => choices(null as never), /options of choices\(\) must be an object/],
  [() => choice({ prompt: '?' } as never), /Give it one at least/],
  [() => confirm(undefined as never), /must be an object: \{ prompt, yes, no \}/],
  [() => confirm('Sure?' as never), /must be an object: \{ prompt, yes, no \}/],
  [() => confirm({ promt: 'Sure?' } as never), /confirm\(\) has no option `promt`. Did you mean `prompt`\?/],
  [() => text(undefined as never), /options of text\(\) must be an object/],
  [() => form(undefined as never), /options of form\(\) must be an object: \{ prompt, schema \}/],
  [() => link(undefined as never), /options of link\(\) must be an object: \{ prompt, url \}/],
  [() => declinable(undefined as never), /question of declinable\(\) must be an object/],
  [
    () => guardOutput(undefined as never, () => allow),
    /step of guardOutput\(\) must be a function, such as textAnswer\(\)/,
  ],
  [() => postprocess(textAnswer(), undefined as never), /change of postprocess\(\) must be a function/],
  [() => validate({} as never, () => undefined), /step of validate\(\) must be a function/],
  [() => retryCompacted(undefined as never), /step of retryCompacted\(\) must be a function, such as reasonAct\(\)/],
  [() => compact({ contextWindow: 9, strategies: [null as never] }), /compact\(\) needs `strategies`/],
  [() => limit(5 as never), /limits must be an object, such as \{ iterations: 20 \}/],
  [() => limitCalls(undefined as never), /argument of limitCalls\(\) must be an object by tool/],
  [() => limitCalls({ search: null } as never), /limitCalls\(\{ search \}\) needs calls/],
  [() => choice({ prompt: '?', options: ['a', 'b', 'a'] }), /Two options have the `value` "a"/],
  [() => choice({ prompt: '?', options: ['a', ''] }), /empty `value`/],
  [() => choices({ prompt: '?', options: ['a', { value: 'a', label: 'A' }] }), /Two options/],
  [() => agent(named).start(''), /a text that is not empty/],
  [() => agent(named).start([]), /a text that is not empty/],
  [() => agent(named).start([{ type: 'text', text: '' }]), /a text that is not empty/],
])('%s throws at once', (wrong, message) => {
  expect(wrong).toThrow(message)
})

it('finds a tool of the backend by the name it was given', () => {
  const described = agent({ ...named, backend: reasonAct({ stop: finalAnswer({ name: 'done' }) }) })

  expect(described.tools.done?.terminal).toBe(true)
})

it.each([{}, null, { runId: 'x' }, 'unknown'])('refuses to resume from %j', async (from) => {
  await expect(agent(named).resume(from as string)).rejects.toMatchObject({ code: 'options_invalid' })
})

it('takes the same options for resume() as for start(), and refuses others', async () => {
  const options = { id: 'r', journal: memoryJournal() }
  await agent(named).start('Go', options).settled

  expect((await agent(named).resume('r', options)).id).toBe('r')
  await expect(agent(named).resume('r', { jurnal: 1 } as object)).rejects.toThrow(/resume\(\) has no option `jurnal`/)
})

it('says that the id of a run is taken, and how to continue that run', async () => {
  const journal = memoryJournal()
  await agent(named).start('Go', { id: 'r', journal }).settled

  const signal = await agent(named).start('Go', { id: 'r', journal }).settled

  expect(signal).toMatchObject({
    type: 'failed',
    error: {
      code: 'journal_conflict',
      message: expect.stringMatching(/A run with the id "r" exists already.*agent\.resume\("r", \{ journal \}\)/),
    },
  })
})
