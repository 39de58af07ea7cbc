import { expect, it } from 'vitest'
import { type TextFormat, writings } from './format.ts'
import type { TextEvent } from './textEvent.ts'
import { createTextReader, joinTextEvents, readText, type TextReading } from './textReader.ts'

const search = { tool: 'search', input: 'Paris' }

it.each<[TextFormat, string, Partial<TextReading>]>([
  ['react-numbered-bracket', 'Thought 1: Hm.\nAction 1: search[Paris]', { thought: 'Hm.', actions: [search] }],
  ['react-plain-bracket', 'Thought: Hm.\nAction: finish[42]', { thought: 'Hm.', finish: '42' }],
  ['webshop-bracket', 'Action: think[Hm.]', { thought: 'Hm.' }],
  ['webshop-bracket', 'search[Paris]', { actions: [search] }],
  ['react-plain-bracket', 'search[Paris]\nThought: Hm.', { actions: [search] }],
  ['react-plain-bracket', 'search[x]\nAction: search[Paris]', { thought: 'search[x]', actions: [search] }],
  ['react-plain-bracket', 'a[0] is it.\nFinal Answer: 42', { thought: 'a[0] is it.', finish: '42' }],
  [
    'alfworld-think',
    '> think: Hm.\n> go to desk 1',
    { thought: 'Hm.', actions: [{ tool: 'act', input: 'go to desk 1' }] },
  ],
  ['alfworld-think', '> think: Hm.\nOK.\n> go to desk 1', { thought: 'Hm.' }],
  ['alfworld-think', '> go to desk 1\nOK.', { actions: [{ tool: 'act', input: 'go to desk 1' }] }],
  ['mrkl', 'Hm.\nAction: search\nAction Input: Paris\n', { thought: 'Hm.', actions: [search] }],
  ['mrkl', 'Thought: Hm.\nFinal Answer: 42\nor so', { thought: 'Hm.', finish: '42\nor so' }],
  ['mrkl-json-input', 'Action: add\nAction Input: {"a": 1}', { actions: [{ tool: 'add', input: { a: 1 } }] }],
  ['llamaindex', 'Thought: Hm.\nAnswer: 42', { thought: 'Hm.', finish: '42' }],
  [
    'json-blob',
    'Hm.\n```json\n{"action": "search", "action_input": "Paris"}\n```',
    { thought: 'Hm.', actions: [search] },
  ],
  [
    'json-thought-command',
    '{"thought": "Hm.", "command": {"name": "ls"}}',
    { thought: 'Hm.', actions: [{ tool: 'ls', input: null }] },
  ],
  ['swe-thought-fence', 'Hm.\n```\nls -l\n```', { thought: 'Hm.', actions: [{ tool: 'shell', input: 'ls -l' }] }],
  [
    'swe-thought-fence',
    'As in\n```py\nx\n```\nso\n```\nsubmit\n```',
    { thought: 'As in\n```py\nx\n```\nso', finish: 'submit' },
  ],
  ['swe-xml-command', 'Hm.\n<command>\nls\n</command>', { thought: 'Hm.', actions: [{ tool: 'shell', input: 'ls' }] }],
  [
    'smolagents-code',
    'Thought: Hm.\nCode:\n```py\nx = 1\n```<end_code>',
    { thought: 'Hm.', actions: [{ tool: 'python', input: 'x = 1' }] },
  ],
  ['smolagents-code', '```py\nfinal_answer("42")\n```', { finish: '42' }],
  ['smolagents-code', '<code>\n```py\nx = 1\n```\n</code>', { actions: [{ tool: 'python', input: 'x = 1' }] }],
  ['smolagents-code', '<code>\nx = 1\n```', { actions: [{ tool: 'python', input: 'x = 1' }] }],
  ['smolagents-code', '```py\nx = 1\n</code>', { actions: [{ tool: 'python', input: 'x = 1' }] }],
  ['smolagents-code', 'import os\nos.getcwd()\n', { actions: [{ tool: 'python', input: 'import os\nos.getcwd()' }] }],
  ['smolagents-code', 'final_answer("42")', { finish: '42' }],
  ['smolagents-code', 'x = f(1)', { actions: [{ tool: 'python', input: 'x = f(1)' }] }],
  [
    'smolagents-code',
    'x = 1 is what I need.\n```py\nx = 1\n```',
    { thought: 'x = 1 is what I need.', actions: [{ tool: 'python', input: 'x = 1' }] },
  ],
  [
    'xml-tool-call',
    'Hm.\n<tool_call>\n{"name": "search", "arguments": "Paris"}\n</tool_call>',
    { thought: 'Hm.', actions: [search] },
  ],
])('reads %s: %j', (format, text, reading) => {
  expect(readText(text, { format })).toEqual({ thought: '', actions: [], ...reading })
})

it.each<[string, Partial<TextReading>]>([
  [
    '<function=search><parameter=q>\nParis\n</parameter><parameter=n>3</parameter></function>',
    { actions: [{ tool: 'search', input: { q: 'Paris', n: 3 } }] },
  ],
  [
    '<tool_call><function=search>{"q": "Paris"}</function></tool_call>',
    { actions: [{ tool: 'search', input: { q: 'Paris' } }] },
  ],
  [
    '<invoke name="search"><parameter name="q">Paris</parameter></invoke>',
    { actions: [{ tool: 'search', input: { q: 'Paris' } }] },
  ],
  [
    '<tool_call>{"name": "a", "arguments": {}}</tool_call>\n<tool_call>{"name": "b", "arguments": {}}',
    {
      actions: [
        { tool: 'a', input: {} },
        { tool: 'b', input: {} },
      ],
    },
  ],
  ['```xml\n<tool_call>{"name": "a", "arguments": {}}</tool_call>\n```', { actions: [{ tool: 'a', input: {} }] }],
  ['<think>Action: no</think>\nAction: search\nAction Input: Paris', { thought: 'Action: no', actions: [search] }],
  ['Hm.</think>\n{"action": "search", "action_input": "Paris"}', { thought: 'Hm.', actions: [search] }],
  ['<|python_tag|>{"name": "search", "parameters": "Paris"}', { actions: [search] }],
  ['Hm.</think>Action: search\nAction Input: Paris', { thought: 'Hm.', actions: [search] }],
  ['So: <answer>42</answer> or not', { thought: 'So:', finish: '42' }],
  ['**Thought:** Hm.\n**Action:** search\n**Action Input:** Paris', { thought: 'Hm.', actions: [search] }],
  ['**Action: search**\n**Action Input:** Paris', { actions: [search] }],
  ['thought: Hm.\naction: search\naction input: Paris', { thought: 'Hm.', actions: [search] }],
  ['- Thought: Hm.\n- Action: search\n- Action Input: Paris', { thought: 'Hm.', actions: [search] }],
  ['  - **Thought:** Hm.\n  - **Final Answer:** 42', { thought: 'Hm.', finish: '42' }],
  ['<think>Hm.</think>Final Answer: 42', { thought: 'Hm.', finish: '42' }],
  ['Action: search\nAction Input: Paris\nObserv', { actions: [search] }],
  ['Action: search[Paris]\nObservation', { actions: [search] }],
  ['Action: **search[Paris]**', { actions: [search] }],
  ['Action: `search[Paris]`', { actions: [search] }],
  ['Action: search[Paris].', { actions: [search] }],
  ['Action: finish[42]\n\nI hope [this] helps!', { finish: '42' }],
])('reads what open models write: %j', (text, reading) => {
  expect(readText(text)).toEqual({ thought: '', actions: [], ...reading })
})

it.each<[string, string, Partial<TextReading>]>([
  [
    'arguments behind the name',
    'Action: search ({"q": "Paris"})',
    { actions: [{ tool: 'search', input: { q: 'Paris' } }] },
  ],
  ['a call as in code', 'Action: search("Paris")', { actions: [search] }],
  ['a call without quotes', 'Action: search(Paris)', { actions: [search] }],
  ['labels on one line', 'Action: search Action Input: Paris', { actions: [search] }],
  [
    'labels on one line, and the input below it',
    'Action: add Action Input: {\n"n": 1\n}\nObservation: 2',
    { actions: [{ tool: 'add', input: { n: 1 } }] },
  ],
  ['quotes around a text', 'Action: search\nAction Input: """Paris"""', { actions: [search] }],
  ['a quote that is missing', 'Action: search\nAction Input: "Paris', { actions: [search] }],
  ['a block behind the label', 'Action: ```{"action": "search", "action_input": "Paris"}```', { actions: [search] }],
  [
    'a list in single quotes',
    "Action: add\nAction Input: {'n': ['x']}",
    { actions: [{ tool: 'add', input: { n: ['x'] }, written: "{'n': ['x']}" }] },
  ],
  [
    'a brace that is missing',
    'Action: add\nAction Input: {"n": 1\nObservation: 2',
    { actions: [{ tool: 'add', input: { n: 1 }, written: '{"n": 1' }] },
  ],
  [
    'JSON in a fence',
    'Action: add\nAction Input:\n```json\n{"n": 1}\n```',
    { actions: [{ tool: 'add', input: { n: 1 } }] },
  ],
  ['JSON in backticks', 'Action: add\nAction Input: `{"n": 1}`', { actions: [{ tool: 'add', input: { n: 1 } }] }],
  [
    'what is left of bold',
    'Action: ** add\nAction Input: ** {"n": 1}',
    { actions: [{ tool: 'add', input: { n: 1 } }] },
  ],
  ['text behind JSON', 'Action: add\nAction Input: {"n": 1}, I think', { actions: [{ tool: 'add', input: { n: 1 } }] }],
  [
    'a label in a string',
    'Action: add\nAction Input: {"n": "a\nThought: b"}',
    { actions: [{ tool: 'add', input: { n: 'a\nThought: b' }, written: '{"n": "a\nThought: b"}' }] },
  ],
  [
    'JSON instead of labels',
    '```json\n{"Thought": "Hm.", "Action": "search", "Action Input": "Paris"}\n```',
    { thought: 'Hm.', actions: [search] },
  ],
  ['a name that is no tool', 'Action: None\nFinal Answer: 42', { finish: '42' }],
  [
    'a sentence in place of a name',
    'Action: I have it all.\nFinal Answer: 42',
    { thought: 'I have it all.', finish: '42' },
  ],
  ['an empty action', 'Action:\nAction: search\nAction Input: Paris', { actions: [search] }],
  [
    'an observation of its own',
    'Action: search\nAction Input: Paris\nObservation: Big.\nFinal Answer: Big.',
    { actions: [search] },
  ],
  ['a step behind the answer', 'Final Answer: 42\n\nAction: search\nAction Input: Paris', { finish: '42' }],
  [
    'an answer that names an action',
    'Final Answer: Do this.\nAction: rest\nThen go on.',
    { finish: 'Do this.\nAction: rest\nThen go on.' },
  ],
  [
    'headings that look like labels',
    'Final Answer: So:\n**Observation:** big\n### Action: rest',
    { finish: 'So:\n**Observation:** big\n### Action: rest' },
  ],
  [
    'an observation in bold',
    '**Action:** search\n**Action Input:** Paris\n**Observation:** Big.',
    { actions: [search] },
  ],
  [
    'labels in the code of an input',
    'Action: write\nAction Input: as in\n```\nThought: x\nAction: y\n```',
    { actions: [{ tool: 'write', input: 'as in\n```\nThought: x\nAction: y\n```' }] },
  ],
  ['a step in a fence', '```\nThought: Hm.\nFinal Answer: 42\n```', { thought: 'Hm.', finish: '42' }],
  [
    'a step in a fence that begins with prose',
    '```\nHm.\nAction: search\nAction Input: Paris\n```',
    { thought: '```\nHm.', actions: [search] },
  ],
  [
    'an answer with code in a fenced step',
    '```\nFinal Answer: so\n```py\nx\n```\nor so\n```',
    { finish: 'so\n```py\nx\n```\nor so' },
  ],
  [
    'the action in a fence',
    'Thought: Hm.\n```\nAction: search\nAction Input: Paris\n```',
    { thought: 'Hm.', actions: [search] },
  ],
])('copes with %s', (_, text, reading) => {
  for (const format of ['auto', 'llamaindex'] as const) {
    expect(readText(text, { format }), format).toEqual({ thought: '', actions: [], ...reading })
  }
})

it('reads on behind JSON in a fence that is no step', () => {
  const example = '```json\n{"name": "Ada"}\n```'

  const { actions, thought } = readText(`${example}\nSo:\n{"action": "search", "action_input": "Paris"}`)

  expect({ actions, thought }).toEqual({ actions: [search], thought: `${example}\nSo:` })
})

it('takes one JSON in a list in a fence', () => {
  const text = 'Action: ```[{"action": "search", "action_input": "Paris"}]```'

  expect(readText(text, { format: 'json-blob' }).actions).toEqual([search])
})

it('takes small letters for labels only in a text that begins with one', () => {
  const text = 'Hm.\naction: none\n- Action: none\nAction: search\nAction Input: Paris'

  const { actions, thought } = readText(text)

  expect({ actions, thought }).toEqual({ actions: [search], thought: 'Hm.\naction: none\n- Action: none' })
})

it.each<[TextFormat | 'auto']>([['mrkl'], ['auto']])(
  'takes labels in a code fence behind prose for an example, in %s',
  (format) => {
    const text = 'One writes\n```\nThought: why\nAction: search\nAction Input: x\n```'

    const { actions, thought, problem } = readText(text, { format })

    expect({ actions, thought }).toEqual({ actions: [], thought: text })
    expect(problem).toContain('There is no step')
  },
)

it.each<[TextFormat, string, string]>([
  ['mrkl', 'Paris is big.', 'Write a line "Action:"'],
  ['mrkl', '', 'There is no step'],
  ['mrkl', 'Action: search', 'has no input'],
  ['mrkl', 'Action: search (the web)', 'has no input'],
  ['mrkl', 'Action: search(q=Paris)', 'has no input'],
  ['mrkl', 'Action:', 'no name of a tool'],
  ['mrkl', 'Action Input: x', 'no action before it'],
  ['mrkl', 'Action: search Final Answer:\nAction Input: x', 'a line of its own'],
  ['mrkl', 'Action: None (I know it)', 'Final Answer:'],
  ['mrkl-json-input', 'Thought: Hm.\nObservation: 42\nAction: a\nAction Input: {}', 'observation yourself'],
  ['react-plain-bracket', 'Action: search', 'in brackets'],
  ['react-plain-bracket', 'Action: search[x] please', 'closing bracket'],
  ['react-plain-bracket', 'Action: search[x] please\nand search[y] too', 'closing bracket'],
  ['react-plain-bracket', 'Action: search[x\nAction: search[y', 'closing bracket'],
  ['react-plain-bracket', 'Action: search[x\nAction: search[y]', 'closing bracket'],
  ['react-plain-bracket', 'Action: search[x', 'closing bracket'],
  ['swe-thought-fence', 'Hm.\n```\nls', 'not closed'],
  ['swe-xml-command', 'Hm. <command>ls', 'not closed'],
  ['smolagents-code', 'x = 1 is what I need.', 'There is no step'],
  ['xml-tool-call', '<tool_call>{"name": </tool_call>', 'cannot be read'],
])('names the problem, in %s, of %j', (format, text, message) => {
  const { problem, actions, finish } = readText(text, { format })

  expect(problem).toContain(message)
  expect({ actions, finish }).toEqual({ actions: [], finish: undefined })
})

it('does not call with a text that was cut off', () => {
  const { actions } = readText('Action: rm\nAction Input: {"path": "/home/us', { format: 'mrkl-json-input' })

  expect(actions).toEqual([{ tool: 'rm', input: '{"path": "/home/us' }])
})

it('leaves a call without an input to the tool, where the input is JSON that may be omitted', () => {
  const text = 'Action: now\nObservation: noon'

  expect(readText(text, { format: 'mrkl-json-input' }).actions).toEqual([{ tool: 'now', input: null }])
})

it('knows tools by their names', () => {
  const options = { tools: ['search_web', 'shell'], finish: ['done'] } as const

  expect(readText('Action: `Search_Web()`\nAction Input: x', options).actions[0]?.tool).toBe('search_web')
  expect(
    readText('Action: search_web\nFinal Answer: 42', { ...options, format: 'mrkl-json-input' }).actions,
  ).toHaveLength(1)
  expect(readText('Action: I know\nFinal Answer: 42', { ...options, format: 'mrkl-json-input' }).finish).toBe('42')
  expect(readText('Action: Done\nAction Input: 42', options).finish).toBe('42')
  expect(readText('See:\n```sh\nls\n```', { tools: ['search'] }).actions).toEqual([])
  expect(readText('See:\n```sh\nls\n```', options).actions).toEqual([{ tool: 'shell', input: 'ls' }])
})

const pay = '{"action": "pay", "action_input": {"all": true}}'
const payCall = '{"name": "pay", "arguments": {"all": true}}'

it.each<[string, readonly (TextFormat | 'auto')[]]>([
  [`To pay, write:\n${pay}\nBut not now.`, ['auto', 'json-blob', 'json-thought-command', 'mrkl', 'xml-tool-call']],
  [
    `For example\n\`\`\`json\n${pay}\n\`\`\`\npays it all.`,
    ['auto', 'json-thought-command', 'mrkl-json-input', 'xml-tool-call'],
  ],
  [`For example\n\`\`\`json\n${payCall}\n\`\`\``, ['mrkl', 'mrkl-json-input', 'llamaindex', 'xml-tool-call']],
  [`The config is\n${payCall}`, ['mrkl', 'mrkl-json-input', 'llamaindex', 'xml-tool-call']],
  [`> ${pay}`, ['auto', 'json-blob', 'mrkl']],
  ['> Action: pay\n> Action Input: {}', ['auto', 'json-blob', 'mrkl']],
  [
    '{"action": "approve", "reason": "It is small."}',
    ['auto', 'json-blob', 'mrkl', 'mrkl-json-input', 'xml-tool-call'],
  ],
])('does not run JSON that is an example or an answer: %j', (text, known) => {
  for (const format of known) expect(readText(text, { format }).actions, format).toEqual([])
})

it.each<[string, readonly (TextFormat | 'auto')[]]>([
  [pay, ['auto', 'json-blob', 'json-thought-command', 'mrkl', 'mrkl-json-input', 'llamaindex', 'xml-tool-call']],
  [`\`\`\`json\n${pay}\n\`\`\``, ['auto', 'json-blob', 'json-thought-command', 'mrkl', 'xml-tool-call']],
  [`I pay.\n${pay}\n`, ['auto', 'json-blob', 'json-thought-command']],
  [`I pay.\n\`\`\`json\n${pay}\n\`\`\`\n`, ['auto', 'json-blob', 'json-thought-command']],
  [`I pay.\n${pay}\nObservation: Paid.`, ['auto', 'json-blob', 'json-thought-command']],
  [`I pay.\n\`\`\`json\n${pay}\n\`\`\`\nThat will do.`, ['json-blob']],
  [`I pay.\nAction:\n${pay}\nThat will do.`, ['auto', 'json-blob', 'mrkl']],
  [`Not ${pay}, as in\n${pay}\nbut\n${pay}`, ['auto', 'json-blob']],
])('runs JSON that is the step: %j', (text, known) => {
  for (const format of known) {
    expect(readText(text, { format }).actions, format).toEqual([{ tool: 'pay', input: { all: true } }])
  }
})

it.each<[TextFormat | 'auto', string]>([
  ['auto', 'Observation: Send it.\nThought: So I do.\nAction: pay\nAction Input: {"all": true}'],
  ['auto', 'Observation: Send it.\nAction: pay[all]'],
  ['mrkl-json-input', 'Observation: Send it.\nAction: pay\nAction Input: {}'],
  ['llamaindex', 'Observation: Send it.\nAction: pay\nAction Input: {}'],
  ['react-plain-bracket', 'Observation: Send it.\nThought: So I do.\nAction: pay[all]'],
  ['react-numbered-bracket', 'Observation 1: Send it.\nAction 2: pay[all]'],
  ['webshop-bracket', 'Observation: Send it.\nAction: pay[all]'],
  ['json-blob', 'Observation: Send it.\nAction:\n```json\n{"action": "pay", "action_input": {}}\n```'],
])('does not act on an observation that the model repeats, in %s: %j', (format, text) => {
  const { actions, problem } = readText(text, { format })

  expect(actions).toEqual([])
  expect(problem).toContain('observation yourself')
})

it.each<[TextFormat, string]>([
  ['mrkl', 'Observation: Send it.\nAction: pay\nAction Input: all'],
  ['react-plain-bracket', 'Thought: Hm.\nObservation: Send it.\nAction: pay[all]'],
])('tolerates what traces in %s hold, unless told not to: %j', (format, text) => {
  expect(readText(text, { format }).actions).toHaveLength(1)
  expect(readText(text, { format, ownObservation: 'refuse' })).toMatchObject({ actions: [] })
})

it.each([
  '**Observation:** page',
  '**Observation**: page',
  '### Observation: page',
  '### Observation\npage',
  'observation: page',
  'OBSERVATION 2 : page',
  '- Observation: page',
  '1. Observation: page',
  '* **observation** : page',
  '<observation>page</observation>',
  '<function_results>page</function_results>',
])('refuses a step behind an observation of the model, however it is written: %j', (observation) => {
  const blob = '{"action": "pay", "action_input": {}}'
  const steps: Partial<Record<TextFormat | 'auto', string>> = {
    mrkl: 'Action: pay\nAction Input: all',
    'mrkl-json-input': 'Action: pay\nAction Input: {}',
    llamaindex: 'Action: pay\nAction Input: {}',
    'react-plain-bracket': 'Action: pay[all]',
    'webshop-bracket': 'pay[all]',
    'json-blob': `Action:\n\`\`\`\n${blob}\n\`\`\``,
    'json-thought-command': blob,
    'smolagents-code': '```py\npay()\n```',
    'swe-thought-fence': '```\npay\n```',
    'swe-xml-command': '<command>pay</command>',
    'xml-tool-call': `<tool_call>{"name": "pay", "arguments": {}}</tool_call>`,
    auto: 'Action: pay\nAction Input: all',
  }
  for (const [format, action] of Object.entries(steps)) {
    for (const begin of [
      '',
      'Hm.\n',
      ...(format.startsWith('swe') ? [] : ['Thought: Hm.\n', 'Thought: Hm {x}\n{y}\n']),
    ]) {
      const text = `${begin}${observation}\n${action}`
      const options = { format: format as TextFormat, ownObservation: 'refuse' } as const
      const whole = readText(text, options)
      expect(whole.actions, `${format} ${text}`).toEqual([])
      expect(whole.problem).toContain('observation yourself')
      const reader = createTextReader(options)
      const typed = [...text].flatMap((chunk) => reader.read(chunk))
      expect(joinTextEvents([...typed, ...reader.end()])).toEqual(whole)
    }
  }
})

it.each<[TextFormat, string]>([
  ['mrkl-json-input', 'Eg:\n~~~\nAction: pay\nAction Input: {"input":"1"}\n~~~\nFinal Answer: done'],
  ['react-plain-bracket', 'Eg:\n~~~~text\nAction: pay[1]\n~~~~\nFinal Answer: done'],
  ['xml-tool-call', 'Eg:\n~~~\n<tool_call>{"name": "pay", "arguments": {}}</tool_call>\n~~~\nFinal Answer: done'],
])('does not act in %s on what a fence of tildes quotes: %j', (format, text) => {
  expect(readText(text, { format })).toMatchObject({ actions: [], finish: 'done' })
})

it.each<[TextFormat, string, readonly unknown[]]>([
  ['mrkl', 'Action: note\nAction Input: a\n- **observation:** b', [{ tool: 'note', input: 'a\n- **observation:** b' }]],
  ['swe-thought-fence', 'D\n```\nls\n```\nObservation: x\n```\nrm\n```', [{ tool: 'shell', input: 'ls' }]],
  ['smolagents-code', '```py\na()\n```\n**Observation:** x\n```py\nb()\n```', [{ tool: 'python', input: 'a()' }]],
  ['alfworld-think', 'Observation: x\n> go', []],
  ['alfworld-think', '> think: hm\n> **Observation:** x\n> go', []],
  ['react-plain-bracket', 'think[a]\n**Observation:** x\nAction: pay[1]', []],
  [
    'xml-tool-call',
    '<tool_call>{"name": "a", "arguments": {}}</tool_call>\n**Observation:** x\n<tool_call>{"name": "b", "arguments": {}}</tool_call>',
    [{ tool: 'a', input: {} }],
  ],
])('acts in %s on nothing behind an observation of the model: %j', (format, text, actions) => {
  expect(readText(text, { format, ownObservation: 'refuse' }).actions).toEqual(actions)
})

it.each<[string, Partial<TextReading>]>([
  ['Action: search[Paris]\nAction: search[Rome]', { actions: [search] }],
  ['Action: search[Paris]\n\nAction 2: search[Rome', { actions: [search] }],
  ['Action: search[Paris]\nsearch[Rome]', { actions: [search] }],
  ['Action: search[Paris]\nI hope [this] helps]', { actions: [search] }],
  ['Action:\nAction: search[Paris]', { actions: [search] }],
  ['search[Paris]\nsearch[Rome]', { actions: [search] }],
  ['Action: search[a\nAction: search[b]\n]', { actions: [{ tool: 'search', input: 'a\nAction: search[b]' }] }],
  ['Action: finish[as [1] and\n[2] say]', { finish: 'as [1] and\n[2] say' }],
  ['Action: think[Hm.]\nAction: search[Paris]', { thought: 'Hm.', actions: [search] }],
  ['Action: think[Hm.]\nsearch[Paris]', { thought: 'Hm.\nsearch[Paris]' }],
])('takes the first action in brackets, of %j', (text, reading) => {
  expect(readText(text, { format: 'react-plain-bracket' })).toEqual({ thought: '', actions: [], ...reading })
})

/** Returns the events of each character. */
function typed(text: string, format: TextFormat): { events: TextEvent[]; doneAt: number } {
  const reader = createTextReader({ format })
  const events: TextEvent[] = []
  let doneAt = -1
  for (const [i, char] of [...text].entries()) {
    events.push(...reader.read(char))
    if (reader.done && doneAt < 0) doneAt = i + 1
  }
  return { events: [...events, ...reader.end()], doneAt }
}

it('streams thoughts and answers as they come', () => {
  const { events } = typed('Thought: I see\nFinal Answer: 42', 'mrkl')

  const deltas = events.map((event) => ('delta' in event ? event.delta : event.type))
  expect(deltas).toEqual(['I', ' s', 'e', 'e', '', '4', '2'])
})

it('holds back no more than a label', () => {
  const text = 'Thought: first\nActually, no\n  Finally yes\nFinal Answer: **Action** `x` <b>\nAct now'
  const reader = createTextReader({ format: 'mrkl' })
  let given = 0

  for (const [i, char] of [...text].entries()) {
    for (const event of reader.read(char)) if ('delta' in event) given += event.delta.length
    expect(i + 1 - given, text.slice(0, i + 1)).toBeLessThan(40)
  }
})

it('is done as soon as the action is whole', () => {
  const json = 'Action: add\nAction Input: {"n": 1}'
  const text = `${json}\nObservation: 2\nThought: so`

  expect(typed(text, 'mrkl-json-input').doneAt).toBe(json.length)
  expect(typed('<command>ls</command> and', 'swe-xml-command').doneAt).toBe('<command>ls</command>'.length)
  expect(typed('Action: search\nAction Input: a\nb\nObservation: x', 'mrkl').doneAt).toBe(
    'Action: search\nAction Input: a\nb\nObservation:'.length,
  )
})

it('gives nothing after it is done', () => {
  const reader = createTextReader({ format: 'swe-xml-command' })

  expect(reader.read('<command>ls</command><command>rm')).toHaveLength(1)
  expect([reader.read('</command>'), reader.end(), reader.end()]).toEqual([[], [], []])
})

const beginnings: readonly [string, Partial<TextReading>][] = [
  ['> go to desk 1', { actions: [{ tool: 'act', input: 'go to desk 1' }] }],
  ['> think: Hm.\n> go', { thought: 'Hm.', actions: [{ tool: 'act', input: 'go' }] }],
  ['>\n> Action: pay[5]\nFinal Answer: no', { thought: '>\n> Action: pay[5]', finish: 'no' }],
  ['>\n\n\nFinal Answer: 42', { thought: '>', finish: '42' }],
  ['>go there\nFinal Answer: 42', { thought: '>go there', finish: '42' }],
  ...[1, 8, 9, 22, 40].map((blanks): [string, Partial<TextReading>] => [
    `>${' '.repeat(blanks)}Thought: pay it\nFinal Answer: no`,
    { thought: `>${' '.repeat(blanks)}Thought: pay it`, finish: 'no' },
  ]),
]

it.each(beginnings)('finds out what a text is that begins with a prompt, however it is cut: %j', (text, reading) => {
  const expected = { thought: '', actions: [], ...reading }
  for (let first = 0; first <= text.length; first++) {
    for (let second = first; second <= text.length; second++) {
      const reader = createTextReader()
      const chunks = [text.slice(0, first), text.slice(first, second), text.slice(second)]
      const events = chunks.flatMap((chunk) => reader.read(chunk))
      expect(joinTextEvents([...events, ...reader.end()]), `${first}, ${second}`).toEqual(expected)
    }
  }
})

/** The call of `pay` in each format whose text may be in a fence that is not a command itself. */
const payIn: Readonly<Partial<Record<TextFormat | 'auto', string>>> = {
  mrkl: 'Action: pay\nAction Input: 1',
  'mrkl-json-input': 'Action: pay\nAction Input: {"n": 1}',
  llamaindex: 'Action: pay\nAction Input: {"n": 1}',
  'react-numbered-bracket': 'Action 1: pay[1]',
  'react-plain-bracket': 'Action: pay[1]',
  'webshop-bracket': 'Action: pay[1]',
  'json-thought-command': '{"command": {"name": "pay", "arguments": {}}}',
  'xml-tool-call': '<tool_call>{"name": "pay", "arguments": {}}</tool_call>',
  'swe-xml-command': '<command>pay</command>',
  auto: 'Action: pay\nAction Input: 1',
}
const tagCalls = [
  '<function=pay><parameter=n>1</parameter></function>',
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.pay:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>pay\n{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  '<minimax:tool_call><invoke name="pay"></invoke></minimax:tool_call>',
]
const payCalls = [
  ...Object.entries(payIn),
  ...tagCalls.flatMap((call) => [['xml-tool-call', call] as const, ['auto', call] as const]),
].map(([format, call]) => [format as TextFormat | 'auto', call] as const)

function withinFence(mark: string, { call, indent = '', item = '' }: { call: string; indent?: string; item?: string }) {
  return [`${item}${mark}`, ...call.split('\n').map((line) => indent + line), `${indent}${mark}`].join('\n')
}

it.each(payCalls)('does not act in %s on what is in a fence that something follows: %j', (format, call) => {
  const marks = ['```', '```text', '````', '~~~', '~~~~']
  for (const mark of marks) {
    const bare = mark.replace('text', '')
    const fences = [
      withinFence(bare, { call }),
      `${mark}\n${call}\n${bare}`,
      withinFence(bare, { call, indent: '  ', item: '  ' }),
      withinFence(bare, { call, indent: '  ', item: '- ' }),
      withinFence(bare, { call, indent: '   ', item: '1. ' }),
      `- item\n${withinFence(bare, { call, indent: '  ', item: '  ' })}`,
    ]
    for (const begin of ['Eg:\n', 'Thought: Eg:\n']) {
      for (const fence of fences) {
        for (const end of ['\nFinal Answer: no', '\n\nThat pays.\n']) {
          const text = begin + fence + end
          const reading = readText(text, { format, ownObservation: 'refuse' })
          expect(reading.actions, text).toEqual([])
          expect(reading.finish, text).toBe(format === 'swe-xml-command' || !end.includes(':') ? undefined : 'no')
        }
      }
    }
  }
})

it.each<[TextFormat | 'auto', string]>([
  ['json-blob', '```json\n{"action": "pay", "action_input": "1"}\n```'],
  ['json-blob', '```\n{"action": "pay", "action_input": "1"}\n```'],
  ['smolagents-code', '```py\npay()\n```'],
  ['smolagents-code', '```py\npay()\n```\nor\n```py\npay(1)\n```'],
])('takes a fence behind a thought for an example in %s if an answer is below: %j', (format, fence) => {
  const text = `Thought: Not so:\n${fence}`
  const answered = readText(`${text}\nFinal Answer: no`, { format })

  expect(answered).toEqual({ thought: `Not so:\n${fence}`, actions: [], finish: 'no' })
  expect(readText(text, { format }).actions).toHaveLength(1)
  expect(readText(`${text}\n\nObservation: paid\nFinal Answer: no`, { format }).actions).toHaveLength(1)
  const label = format === 'json-blob' ? 'Action' : 'Code'
  expect(readText(`Thought: So:\n${label}:\n${fence}\nFinal Answer: no`, { format }).actions).toHaveLength(1)
})

it.each(tagCalls)('runs no call that is quoted in a fence as a command: %j', (call) => {
  for (const end of ['', '\n', '\nDone.']) {
    const { actions, thought } = readText(`Eg:\n\`\`\`\n${call}\n\`\`\`${end}`)

    expect(actions).toEqual([])
    expect(thought).toContain(call)
  }
})

it('runs the first of several commands', () => {
  const { actions } = readText('A\n```\nls\n```\nB\n```\nrm\n```', { format: 'swe-thought-fence' })

  expect(actions).toEqual([{ tool: 'shell', input: 'ls' }])
})

it.each(payCalls.filter(([format]) => !format.startsWith('swe')))(
  'acts in %s on a fence that is the rest of the step: %j',
  (format, call) => {
    for (const mark of ['```', '~~~', ...(format === 'json-thought-command' ? [] : ['````'])]) {
      for (const end of ['', '\n', '\n\nObservation: paid']) {
        const text = `Thought: Hm.\n${withinFence(mark, { call })}${end}`
        expect(readText(text, { format }).actions, text).toMatchObject([{ tool: 'pay' }])
      }
      expect(readText(`Thought: Hm.\n${mark}\n${call}`, { format }).actions.length, 'open').toBe(
        format === 'json-thought-command' ? 1 : 0,
      )
    }
  },
)

it.each<[string, string]>([
  ['a longer fence that holds a shorter one', '````md\n```\n@\n````'],
  ['a fence that holds one of the other kind', '```\n~~~\n@\n```'],
  ['a fence of tildes that holds one of backticks', '~~~\n```\n@\n~~~'],
  ['a fence with a word where it would end', '```\n``` so\n@\n```'],
])('knows %s', (_, fence) => {
  for (const [format, call] of payCalls) {
    const text = `Eg:\n${fence.replace('@', call)}\nDone.`
    expect(readText(text, { format }).actions, `${format} ${text}`).toEqual([])
  }
})

it.each([
  ['Hm.\n```\nls\n```\nand then\n```\nrm -rf /\n```', 'ls'],
  ['Hm.\n```py\nx = 1\n```\nso\n```bash\nls\n```', 'ls'],
  ['Hm.\n~~~\nls\n~~~\n```\nrm\n```', 'ls'],
  ['Hm.\n```\ncat <<E\n~~~\nx\n~~~\nE\n```', 'cat <<E\n~~~\nx\n~~~\nE'],
])('takes the first command of several blocks: %j', (text, input) => {
  const reader = createTextReader({ format: 'swe-thought-fence' })
  const events = [...text].flatMap((chunk) => reader.read(chunk))

  expect(joinTextEvents([...events, ...reader.end()]).actions).toEqual([{ tool: 'shell', input }])
})

it.each(payCalls)(
  'does not act in %s on a thought between tags, nor behind an answer or a result: %j',
  (format, call) => {
    const texts = [
      ...['think', 'THINK', 'Think', 'thinking'].flatMap((tag) => [
        `<${tag}>\n${call}\n</${tag}>\nHm.`,
        `<${tag}>a <${tag}>b</${tag}>\n${call}\n</${tag}>\nHm.`,
      ]),
      ...['observation', 'response', 'tool_response id="1"', 'function_results', 'tool_output', '|observation|'].map(
        (tag) => `I see\n<${tag}>\n${call}\n</${tag}>`,
      ),
      ...(format.startsWith('swe') ? [] : [`Answer: as follows\n${call.replace(/\nAction Input.*/, '')}`]),
    ]
    for (const text of texts) {
      for (const begin of ['', 'Sure.\n\n']) {
        const { actions } = readText(begin + text, { format, ownObservation: 'refuse' })
        expect(actions, begin + text).toEqual([])
      }
    }
  },
)

it.each(['xml-tool-call', 'auto', 'swe-xml-command'] as const)(
  'does not act in %s on what is in a string of JSON',
  (format) => {
    for (const call of [...tagCalls, '<command>pay</command>']) {
      for (const begin of ['Sure.\n\n', 'It is ', '{"a": 1}\n']) {
        const text = `${begin}${JSON.stringify({ note: ['a', call] })}\nThat is it.`
        expect(readText(text, { format }).actions, text).toEqual([])
      }
    }
  },
)

it('keeps digits that a number does not hold, and texts for fields that take nothing else', () => {
  const digits = '12345678901234567890'
  const isText = (_: string, field: string) => field === 'text'
  for (const open of ['<function=pay>', '<invoke name="pay">']) {
    const body = `<parameter=text>1</parameter><parameter=n>1</parameter><parameter=id>${digits}</parameter>`
    const { actions } = readText(`${open}${body}`, { format: 'xml-tool-call', isText })
    expect(actions).toEqual([{ tool: 'pay', input: { text: '1', n: 1, id: digits } }])
  }
  const { actions } = readText(`Action: pay\nAction Input: ${digits}`, { format: 'mrkl-json-input' })
  expect(actions).toEqual([{ tool: 'pay', input: digits }])
})

it.each(['<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>', '<|im_system|>tool<|im_middle|>## Return of search'])(
  'takes nothing that follows a result of its own, as in %s',
  (result) => {
    const call = '<tool_call>{"name": "search", "arguments": {}}</tool_call>'
    const refused = readText(`I search. ${result}\n42\n${call}`, { format: 'xml-tool-call' })
    expect(refused).toMatchObject({ actions: [], problem: expect.stringContaining('observation yourself') })
    const { actions } = readText(`${call}\n${result}\n42\n${call}`, { format: 'xml-tool-call' })
    expect(actions).toHaveLength(1)
    const inLines = readText(`Thought: I search.\n${result}\n42\nAction: search\nAction Input: {}`, {
      format: 'mrkl-json-input',
      ownObservation: 'refuse',
    })
    expect(inLines.actions).toEqual([])
  },
)

const call = '<tool_call>{"name": "pay", "arguments": {}}</tool_call>'

it.each([
  `Example:\n\`\`\`\nx\n    \`\`\`\n${call}\n\`\`\`\nend`,
  `Example:\n\`\`\`\nx\n\t\`\`\`\n${call}\n\`\`\`\nend`,
  `Example:\n   ~~~\nx\n    ~~~\n${call}\n~~~\nend`,
  `Example:\n\`\`\`\n- \`\`\`\n${call}\n\`\`\`\nend`,
  `Example:\n    \`\`\`\n\`\`\`\n${call}\n    \`\`\`\nend`,
])('closes a fence as Markdown does, with three blanks before it at most: %j', (text) => {
  for (const format of ['xml-tool-call', 'auto'] as const) expect(readText(text, { format }).actions).toEqual([])
})

it.each(['```\nls\n   ```\n', '- ```\n  ls\n  ```\n', '10. x\n\n    ```\n    ls\n    ```\n', '   ```\nls\n```\n'])(
  'reads on behind the fence %j',
  (fence) => {
    expect(readText(`Example:\n${fence}${call}`, { format: 'xml-tool-call' }).actions).toHaveLength(1)
  },
)

it.each(['swe-thought-fence', 'smolagents-code'] as const)('keeps an indented fence in a command of %s', (format) => {
  const text = '```\ncat <<E\n    ```\nE\n```'

  expect(readText(text, { format }).actions.map(({ input }) => input)).toEqual(['cat <<E\n    ```\nE'])
})

it.each([
  `One writes \`\` \` ${call} \` \`\` to pay.`,
  `One writes \` \`\` ${call} \` to pay.`,
  `One writes \`\`\`\` \`\`\` ${call} \`\`\`\` to pay.`,
])('closes inline code with as many backticks as opened it: %j', (text) => {
  for (const format of ['xml-tool-call', 'auto'] as const) expect(readText(text, { format }).actions).toEqual([])
})

it.each([
  `<think type="a">\n${call}\n</think>\nno`,
  `<THINKING a b="c">\n${call}\n</Thinking >\nno`,
  `<think>a</thinking>\n${call}\n</think>no`,
  `<thinking>a<think>b</think>\n${call}\n</thinking>no`,
  `ok<|im_end|>\n<|im_start|>tool\n${call}`,
  `ok<|im_end|>\n<|im_start|>user\n${call}`,
  `<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>${call}<｜tool▁output▁end｜><｜tool▁outputs▁end｜>`,
  `[TOOL_RESULTS] ${call}`,
  'ok\n<|im_start|>user\nAction: pay\nAction Input: 1',
])('runs nothing in reasoning, nor in a turn that is not of the model: %j', (text) => {
  for (const format of ['xml-tool-call', 'auto', 'mrkl'] as const) {
    for (const chunks of [[text], [...text]]) {
      const reader = createTextReader({ format, ownObservation: 'refuse' })
      const events = [...chunks.flatMap((chunk) => reader.read(chunk)), ...reader.end()]
      expect(events.filter(({ type }) => type === 'action')).toEqual([])
    }
  }
})

it.each(['<think type="a">x</think>', '<thinking>x<think>y</think></thinking>', 'It may <think so'])(
  'reads on behind %j',
  (text) => {
    expect(readText(`${text}\n${call}`, { format: 'xml-tool-call' }).actions).toHaveLength(1)
  },
)

it('reads the same of a tag that is almost that of an observation, wherever it is cut', () => {
  const text = '<function=<Observation[">="'
  const options = { ownObservation: 'refuse', tools: ['search'] } as const
  const whole = readText(text, options)

  for (let at = 0; at <= text.length; at++) {
    const reader = createTextReader(options)
    const events = [...reader.read(text.slice(0, at)), ...reader.read(text.slice(at)), ...reader.end()]
    expect(joinTextEvents(events)).toEqual(whole)
  }
})

it('takes a row of recorded data, with fields of its own, as options', () => {
  const row = { id: 'row-1', format: 'react-plain-bracket', tools: ['Search'], isRead: true } as const

  expect(readText('Action: Search[rain]', row).actions).toEqual(
    readText('Action: Search[rain]', { format: row.format, tools: row.tools }).actions,
  )
  expect(readText('Action: Search[rain]', row).actions).toMatchObject([{ tool: 'Search' }])
})

it('names the formats to an app that gives another', () => {
  const reading: object = { format: 'yaml' }
  expect(() => createTextReader(reading)).toThrow(/^The `format` of createTextReader\(\) must be .*"auto"/)
})

it.each<[string, TextFormat | undefined]>([
  ['> <tool_call>Action: search[Paris]', undefined],
  ['> <|python_tag|>{"name": "search", "arguments": {"query": "Paris"}}', undefined],
  ['> [TOOL_CALLS][{"name": "search", "arguments": {"query": "Paris"}}]', undefined],
  ['> <think>Action: search[Paris]', 'react-plain-bracket'],
  ['> <think>{"action": "search", "action_input": "Paris"}', 'json-blob'],
  ['> <tool_call>Final Answer: 42', 'xml-tool-call'],
  ['Write `<answer>Final Answer: 42', undefined],
  ['Write `<think>Action: search Action Input: Paris` so.', 'mrkl'],
])('does not act on what follows a quoted tag: %j', (quotation, format) => {
  const text = `I see:\n${quotation}`

  expect(readText(text, { ...(format && { format }), tools: ['search'] })).toMatchObject({ thought: text, actions: [] })
})

it('acts on what follows the end of reasoning in the same line', () => {
  const text = 'It is `x or "y.</think>Action: search[Paris]'

  expect(readText(text, { format: 'react-plain-bracket' })).toMatchObject({ actions: [search] })
})

it.each([5, null, undefined, {}])('refuses a chunk that is not a string: %j', (chunk) => {
  expect(() => createTextReader().read(chunk as never)).toThrow('The chunk of read() must be a string')
})

it.each(Object.keys(writings) as TextFormat[])(
  'takes a line without a mark for no command in %s, unless commands have none',
  (format) => {
    const { actions } = readText('Look around.', { format })

    expect(actions).toEqual(format === 'alfworld-think' ? [{ tool: 'act', input: 'Look around.' }] : [])
  },
)
