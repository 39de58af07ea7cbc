import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  '`timeoutMs` | ends the call, even if it ignores `abortSignal`; 60,000 by default, without the wait for a user. `reasonAct({ act: { timeoutMs } })` is for all tools':
    [
      constant('packages/core/src/steps/act.ts', 'timeoutMs'),
      test(
        'packages/core/src/steps/act.test.ts',
        'gives up a call whose time is up, though its tool does not listen, and drops the late result',
      ),
      test('packages/core/src/steps/act.test.ts', 'does not count the time in which a user thinks'),
    ],
  '**A call that has begun ends in one of three ways**, whatever runs it (your function, an MCP server, a page, another agent):':
    [
      test(
        'packages/core/src/steps/endOfCall.test.ts',
        'I5: asks about a call whose time is up, and does not tell the model that it failed',
      ),
      test('packages/core/src/steps/endOfCall.test.ts', 'tells the model of an error that the tool itself reports'),
    ],
  'an interruption: its time is up, its page is left or dies, its process dies, its connection to a server or a page breaks | `effect` decides: with `atMostOnce`, the default, a user is asked before the call runs again (in a run with a journal, or if the tool has `approve: approval()`; otherwise the run fails with `tool_interrupted`, so that the user sees it before anything is repeated). `readOnly` and `idempotent` calls run again without asking, with the same `idempotencyKey`; if their time is up, the model reads that (`tool_timeout`)':
    [
      test(
        'packages/core/src/steps/endOfCall.test.ts',
        'I5: asks about a call whose time is up, and does not tell the model that it failed',
      ),
      test(
        'packages/core/src/steps/endOfCall.test.ts',
        'I5: ends the run where no one can be asked about a call whose time is up',
      ),
      test('packages/core/src/steps/endOfCall.test.ts', 'tells the model that the time of a call is up that is %s'),
      test(
        'packages/core/src/steps/performCall.test.ts',
        'asks what to do with a call that was lost in the middle, as after a crash',
      ),
      test(
        'packages/core/src/leaving.test.ts',
        'takes a connection that breaks while the page is left for an interruption',
      ),
    ],
  'The calls of one turn run concurrently, eight by default:': [
    constant('packages/core/src/steps/act.ts', 'parallel'),
    test('packages/core/src/steps/act.test.ts', 'runs at most %i calls at a time'),
  ],
  'A schema of any Standard Schema library that also gives JSON Schema works: zod 4.2 or later, arktype, Valibot with `toStandardJsonSchema()`.':
    [
      test('packages/core/src/schema.test.ts', 'checks by any standard schema'),
      test('packages/core/src/schema.test.ts', 'says what to do about a schema without JSON Schema'),
    ],
  'It checks all keywords of drafts 7 and 2020-12, with references inside the schema only.': [
    test('packages/core/src/jsonSchema/check.test.ts', 'says how %j does not fit %j'),
    test('packages/core/src/jsonSchema/check.test.ts', 'refuses a schema that refers to %s'),
  ],
  'Input is at most 65,536 characters and 32 levels deep.': [
    constant('packages/core/src/json.ts', 'usualLength'),
    constant('packages/core/src/json.ts', 'usualDepth'),
    test('packages/core/src/bounds.test.ts', 'row 12: makes one error of arguments that are %s, and continues'),
  ],
  'Output is stored as plain JSON: a Map fails with `json_invalid`, unless `toModelOutput` converts it.': [
    test(
      'packages/core/src/steps/outcomeOf.test.ts',
      'a tool that returns a %s fails with a message that says what to return',
    ),
    test('packages/core/src/steps/outcomeOf.test.ts', 'leaves what JSON cannot hold to toModelOutput'),
  ],
  'The first turn waits up to 30 seconds, or the `timeoutMs` of the source; if the tools cannot be read, the run fails with `tools_unavailable`, and `resume()` tries again.':
    [
      constant('packages/core/src/tools/toolSource.ts', 'firstMs', 'seconds'),
      test(
        'packages/core/src/tools/toolSource.test.ts',
        'waits for the tools no longer than 30 seconds, and then says so',
      ),
      test(
        'packages/core/src/tools/toolSource.test.ts',
        'fails when the tools cannot be read, and continues once they can',
      ),
    ],
  'A later turn waits 5 seconds, and then uses the tools it had.': [
    constant('packages/core/src/tools/toolSource.ts', 'laterMs', 'seconds'),
    test(
      'packages/core/src/tools/toolSource.test.ts',
      'has the tools that it read before, if a later turn cannot read them',
    ),
  ],
  '`fetchTool` reads only the addresses that you allow, whatever a model or a page says:': [
    test(
      'packages/core/src/tools/fetchTool.test.ts',
      'row 10: connects to none of the hostile addresses where it may ask %s',
    ),
  ],
  'It requests only the origins in `allow`, by GET, without cookies, and checks redirects (three at most) the same way.':
    [
      constant('packages/core/src/tools/fetchTool.ts', 'mostRedirects'),
      test('packages/core/src/tools/fetchTool.test.ts', 'row 10: follows three redirects, and not a fourth'),
      test(
        'packages/core/src/tools/fetchTool.test.ts',
        'row 10: asks without cookies and referrer, and does not let the browser follow redirects',
      ),
    ],
  '`headers` go only to their own origin.': [
    test(
      'packages/core/src/tools/fetchTool.test.ts',
      'row 10: gives a key to the origin that it is for, and to no one that it redirects to',
    ),
  ],
  'It reads at most 1 MB of text within 10 seconds, marked `trusted: false` for the model.': [
    constant('packages/core/src/tools/fetchTool.ts', 'mostBytes', 'MB'),
    constant('packages/core/src/tools/fetchTool.ts', 'mostMs', 'seconds'),
    test('packages/core/src/tools/fetchTool.test.ts', 'row 10: gives the model what a page says as data of others'),
  ],
  'It reaches your own machine or network only if you list that origin.': [
    test(
      'packages/core/src/tools/fetchTool.test.ts',
      'reads what was listed of this machine, and nothing that is not a text',
    ),
  ],
  "`allow: 'public'` allows the whole public network, at ports 80 and 443.": [
    test('packages/core/src/tools/fetchTool.test.ts', 'row 10: asks the public network at ports 80 and 443 alone'),
    test(
      'packages/core/src/tools/fetchTool.test.ts',
      'row 10: reaches the public network, so that what is refused below would have been counted',
    ),
  ],
}
