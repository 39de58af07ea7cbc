import { type Claims, constant, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  'Text mode lets models without tool calling call tools: small and browser models, chat-only models, and servers without a tool template.':
    [noClaim('It names the models that text mode is for.')],
  'Thoughts become the reasoning in the scratchpad, and never part of the answer.': [
    test('packages/text/src/textModeStream.test.ts', 'streams a thought as reasoning and an action as a call'),
    test('packages/text/src/textModeStream.test.ts', 'streams a final answer as text, without the thought before it'),
  ],
  'Begin with the default, or with `xml-tool-call` for a model that was trained on it.': [
    noClaim('Advice on what to try first.'),
  ],
  '`mrkl-json-input` (default) | `Thought:`, `Action:`, `Action Input: {…}`, `Final Answer:` | any tools': [
    test(
      'packages/text/src/textCall.test.ts',
      'writes mrkl-json-input, and takes two malformed steps in a row but not three, unless it has another limit',
    ),
  ],
  '`swe-thought-fence`, `swe-xml-command` | a discussion and one shell command | exactly one tool': [
    test('packages/text/src/textCall.test.ts', 'refuses several tools in %s, which has no names for them'),
  ],
  '`smolagents-code` | a thought and a block of Python | exactly one tool': [
    test('packages/text/src/textCall.test.ts', 'refuses several tools in %s, which has no names for them'),
  ],
  '`alfworld-think` | `> think: …`, `> go to desk 1` | exactly one tool; each thought is a model call': [
    test('packages/text/src/textCall.test.ts', 'refuses several tools in %s, which has no names for them'),
    test('packages/text/src/textModeStream.test.ts', 'asks on after a thought that is a step of its own'),
  ],
  "Plain text goes to a tool's only field, or to its first required field.": [
    test('packages/text/src/toolInput.test.ts', 'gives a text to the only field'),
    test('packages/text/src/toolInput.test.ts', 'gives a text to the first required field'),
  ],
  '**A partial step never runs.**': [
    test('packages/text/src/textModeStream.test.ts', 'does not run an action that was cut off'),
  ],
  "Three in a row (`malformed: 3`) fail the turn with `model_malformed`: the agent's next model is called, or the run fails.":
    [
      constant('packages/text/src/textModeSettings.ts', 'malformed'),
      test('packages/text/src/textMode.test.ts', 'fails after three malformed steps in a row, and resumes from there'),
      test('packages/text/src/textMode.test.ts', 'leaves the turn to the next model of the agent where it gives up'),
    ],
  '**Plain text is not an answer** by default, except in `xml-tool-call`, since small models often only announce a step.':
    [
      test(
        'packages/text/src/textModeStream.test.ts',
        'sends back a step that it cannot read, with what was written and what is wrong',
      ),
      test('packages/text/src/textModeStream.test.ts', 'takes a text without labels for the answer where %s'),
    ],
  '**Tokens always count.**': [
    test(
      'packages/text/src/stepUsage.test.ts',
      'estimates the tokens of a server that %s, so that a limit ends the run',
    ),
  ],
  'Servers report them at the end of a stream, so text mode reads on for up to a second or 120 characters after a step.':
    [
      constant('packages/text/src/stepUsage.ts', 'mostMs', 'seconds'),
      constant('packages/text/src/stepUsage.ts', 'mostCharacters'),
      test(
        'packages/text/src/textModeStream.test.ts',
        "waits for the end of a server that stops by itself, and keeps the server's count of tokens",
      ),
    ],
  "Do so in `xml-tool-call` if the model's template opens the block, so that the model writes only `</think>`:": [
    noClaim('It says what templates of some models do, and what another library has for it.'),
  ],
  'A model may quote a call, or write JSON that is only data.': [
    test('packages/text/src/textReader.test.ts', 'does not act in %s on what is in a fence that something follows: %j'),
    test('packages/text/src/textReader.test.ts', 'does not act in %s on what is in a string of JSON'),
  ],
  'Only `alfworld-think` takes its first line for the command, whatever it is.': [
    test(
      'packages/text/src/textReader.test.ts',
      'takes a line without a mark for no command in %s, unless commands have none',
    ),
  ],
  'An empty string omits the part; `defaultPrompt` has the default parts, to extend them.': [
    test(
      'packages/text/src/textPrompt.test.ts',
      'takes other parts, as text or made for the tools, and omits empty ones',
    ),
  ],
  'By default the reader tolerates some observations that the model wrote itself, because recorded traces contain them.':
    [test('packages/text/src/textReader.test.ts', 'tolerates what traces in %s hold, unless told not to: %j')],
}
