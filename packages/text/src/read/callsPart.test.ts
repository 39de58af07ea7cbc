import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTextReader, joinTextEvents, readText, type TextReading } from '../textReader.ts'

const format = 'xml-tool-call'
const a = '{"name": "a", "arguments": {"q": 1}}'
const b = '{"name": "b", "arguments": {"q": 2}}'
const both = [
  { tool: 'a', input: { q: 1 } },
  { tool: 'b', input: { q: 2 } },
]

it.each<[string]>([
  [`<tool_call>${a}</tool_call><tool_call>${b}</tool_call>`],
  [`<tool_call>\n${a}\n<tool_call>\n${b}\n`],
  [`<function_call> ${a} <function_call> ${b}`],
  [`<tool_call>${a}<tool_call>${b}</tool_call>`],
  [`<tool_call>${a}\n${b}</tool_call>`],
  [`<tool_call>${a}, ${b}</tool_call>`],
  [`<tool_call>[${a}, ${b}]</tool_call>`],
  [`<tool_call>${a}}</tool_call>\n<tool_call>${b}</tool_call></tool_call>`],
  [`<tool_call>${a}</function_call><tool_call>${b}</tool_call>`],
  [`<tool_call>\r\n${a}\r\n</tool_call>\r\n<tool_call>\r\n${b}\r\n</tool_call>`],
  [`<|tool_call|>[${a}, ${b}]`],
  [`[TOOL_CALLS][${a}, ${b}]</s>`],
  [`[TOOL_CALLS] [${a}] [TOOL_CALLS]b{"q": 2}`],
  ['[TOOL_CALLS]a[ARGS]{"q": 1}[TOOL_CALLS]b[ARGS]{"q": 2}'],
  ['[TOOL_CALLS]a[CALL_ID]x1[ARGS]{"q": 1}[TOOL_CALLS]b[CALL_ID]x2[ARGS]{"q": 2}'],
  ['<|python_tag|>{"name": "a", "parameters": {"q": 1}}; {"name": "b", "parameters": {"q": 2}}<|eom_id|>'],
  ['<function=a>{"q": 1}</function><function=b>{"q": 2}</function>'],
  [`<tool_call>\`\`\`json\n${a}\n\`\`\`</tool_call><tool_call>${b}`],
  ['<function=a>{"q": 1}<function=b>{"q": 2}'],
  ['<function=a>\n<parameter=q>\n1\n</parameter>\n</function>\n<function=b><parameter=q>2</parameter></function>'],
  ['<tool_call><function=a><parameter=q>1</parameter></function></tool_call><tool_call>b{"q": 2}</tool_call>'],
  [
    '<function_calls><invoke name="a"><parameter name="q">1</parameter></invoke><invoke name="b"><parameter name="q">2</parameter></invoke></function_calls>',
  ],
  [
    '<tool_call>a\n<arg_key>q</arg_key>\n<arg_value>1</arg_value>\n</tool_call>\n<tool_call>b\n<arg_key>q</arg_key><arg_value>2</arg_value></tool_call>',
  ],
  [
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.a:0<|tool_call_argument_begin|>{"q": 1}<|tool_call_end|><|tool_call_begin|>functions.b:1<|tool_call_argument_begin|>{"q": 2}<|tool_call_end|><|tool_calls_section_end|>',
  ],
  [
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>a\n```json\n{"q": 1}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>b<｜tool▁sep｜>{"q": 2}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
])('reads both calls, closed or not, in %j', (text) => {
  expect(readText(text, { format })).toEqual({ thought: '', actions: both })
  expect(readText(text)).toEqual({ thought: '', actions: both })
})

it.each<[string]>([
  [`${a}\n${b}`],
  [`[${a}, ${b}]`],
  [`{"tool_calls": [${a}, ${b}]}`],
  [`\`\`\`json\n${a}\n${b}\n\`\`\``],
  [`\`\`\`json\n[${a}, ${b}]\n\`\`\``],
  [`${a}\n<tool_call>${b}`],
  [`{"thought": "Hm.", "tool_calls": [${a}, ${b}]}`],
])('reads both calls without tags in %j', (text) => {
  expect(readText(text, { format }).actions).toEqual(both)
  expect(readText(`${text}\nSo.`, { format })).toMatchObject({ actions: both, thought: expect.stringContaining('So.') })
})

it.each<[string, string, Partial<TextReading>]>([
  [
    'text',
    `Hm.<tool_call>${a}</tool_call>\nSo\n<tool_call>${b}</tool_call> and on`,
    { thought: 'Hm.\nSo\n and on', actions: both },
  ],
  ['text in a call', `<function_call>${a} and then <function_call>${b}`, { thought: 'and then', actions: both }],
  [
    'an empty call',
    `<tool_call><tool_call>${a}</tool_call>`,
    { actions: both.slice(0, 1), invalid: [expect.objectContaining({ text: '' })] },
  ],
  [
    'a broken call',
    `<tool_call>{"name": "x", "q</tool_call>\n<tool_call>${a}`,
    { problem: expect.stringContaining('cannot be read') },
  ],
  [
    'a broken call beside',
    `<tool_call>${a}<tool_call>{"name": }</tool_call>`,
    { actions: both.slice(0, 1), invalid: [expect.objectContaining({ text: '{"name": }' })] },
  ],
  [
    'a broken call before',
    `<tool_call>{"name": }</tool_call><tool_call>${a}`,
    { actions: both.slice(0, 1), invalid: [expect.objectContaining({ text: '{"name": }' })] },
  ],
  [
    'a value of a list',
    `<tool_call>[${a}, 7]</tool_call>`,
    { actions: both.slice(0, 1), invalid: [expect.objectContaining({ text: '7' })] },
  ],
  [
    'an argument that is not closed',
    '<function=a><parameter=q>1</function>',
    { problem: expect.stringContaining('cannot be read') },
  ],
  [
    'a key that would change a prototype',
    '<function=a><parameter=__proto__>1</parameter></function>',
    { problem: expect.stringContaining('cannot be read') },
  ],
  [
    'an answer beside a call',
    `<tool_call>${a}</tool_call><tool_call>{"name": "final_answer", "arguments": {"answer": "x"}}</tool_call>`,
    {
      actions: both.slice(0, 1),
      invalid: [expect.objectContaining({ message: expect.stringContaining('comes alone') })],
    },
  ],
])('swallows nothing: %s', (_, text, reading) => {
  expect(readText(text, { format })).toMatchObject({ actions: [], ...reading })
})

it.each<[string, string]>([
  ['in a string', '<tool_call>{"name": "w", "arguments": {"t": "<tool_call>{}</tool_call>"}}</tool_call>'],
  ['in an argument', '<function=w><parameter=t>{}<tool_call>{}</tool_call><function=x></parameter></function>'],
  [
    'in an argument that holds arguments',
    '<function=w><parameter=t>a <parameter=x>1</parameter> b</parameter></function>',
  ],
])('leaves a call alone that stands %s', (_, text) => {
  const { actions, invalid } = readText(text, { format })

  expect(actions.map(({ tool }) => tool)).toEqual(['w'])
  expect(invalid).toBeUndefined()
})

it.each<[string]>([
  [`Write \`<tool_call>${a}</tool_call>\` for that.`],
  [`As they say:\n> <tool_call>${a}</tool_call>`],
  [`For example:\n\`\`\`xml\n<tool_call>${a}</tool_call>\n\`\`\`\nThat is all.`],
  [`<think>I could <tool_call>${a}</tool_call></think> No.`],
  [`<tool_response>\n<tool_call>${a}</tool_call></tool_response>`],
  [`Observation: <tool_call>${a}</tool_call>`],
  [`<tool_call>{"name": }</tool_call><tool_response>ok</tool_response><tool_call>${a}</tool_call>`],
])('does not act on what is quoted: %j', (text) => {
  for (const known of [format, 'auto'] as const) {
    const { actions, problem } = readText(text, { format: known })

    expect(actions).toEqual([])
    expect(problem).toBeDefined()
  }
})

const openers = ['<tool_call>', '<function_call>', '<|tool_call|>', '[TOOL_CALLS]', '<function=']
const closers = ['</tool_call>', '</function_call>', '</function>', '\n', '']
const chunk = fc.record({
  open: fc.constantFrom(...openers),
  close: fc.constantFrom(...closers),
  body: fc.constantFrom('call', 'broken', 'list'),
  text: fc.constantFrom('', '\n', 'word'),
})
type Chunk = typeof chunk extends fc.Arbitrary<infer P> ? P : never

function write({ open, close, body, text }: Chunk, index: number): string {
  const call = `{"name": "t${index}", "arguments": {"k": "v${index}"}}`
  const bodies = { call, broken: `{"name": "t${index}", "v${index}`.replace('"v', 'v'), list: `[${call}]` }
  const header = open === '<function=' ? `t${index}>` : ''
  return `${open}${header}${bodies[body]}${close}${text && text !== '\n' ? ` w${index} ` : text}`
}

it('accounts for every call and every word, however tags are closed and texts are cut', () => {
  fc.assert(
    fc.property(fc.array(chunk, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 9 }), (chunks, size) => {
      const text = chunks.map(write).join('')
      const reader = createTextReader({ format })
      const events = []
      for (let i = 0; i < text.length; i += size) events.push(...reader.read(text.slice(i, i + size)))
      const reading = joinTextEvents([...events, ...reader.end()])
      // The problem is shown to the model with all that it wrote.
      if (reading.problem !== undefined) return

      const found = JSON.stringify(reading)
      const words = text.match(/[vw]\d/g) ?? []
      expect(words.filter((word) => !found.includes(word))).toEqual([])
      expect(reading.actions.length + (reading.invalid?.length ?? 0)).toBe(chunks.length)
    }),
    { numRuns: 1000 },
  )
})
