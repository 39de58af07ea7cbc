import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  '`{ approved: true, input, prompt }` is rejected with `approval_changed` if the input has another one, which is the message of the error.':
    [
      test(
        'packages/core/src/steps/approvedPrompt.test.ts',
        'rejects an approval that has read %s, and says which it is',
      ),
    ],
  "`{ approved: true, remember: 'input' }` | each call with exactly the input that runs": [
    test(
      'packages/core/src/permission.test.ts',
      'allows exactly this input, as the schema makes it, and asks about another',
    ),
  ],
  "`remember` is `'tool'` by default; `'never'` asks each time, as for all calls that the model's provider runs.": [
    test(
      'packages/core/src/permission.test.ts',
      'asks no more about a tool that a user always allows, and the log says who allowed it',
    ),
    test('packages/core/src/permission.test.ts', 'asks each time about a tool that is not as it was reviewed'),
    test('packages/core/src/permission.test.ts', 'refuses a reply that allows more than the tool lets it: %s, %s'),
  ],
  'A permission counts only while the tool is as the user saw it: its description, its schema, `remember`, `rememberBy`, whether it is `readOnly`, and the agent that calls it.':
    [test('packages/core/src/permission.test.ts', 'asks again when the %s of the tool has changed since')],
  '`run.state.permissions` lists the latest 100, and `await run.revoke(id)` takes one back.': [
    constant('packages/core/src/permission.ts', 'most'),
    test('packages/core/src/permission.test.ts', 'remembers the latest hundred'),
    test('packages/core/src/permission.test.ts', 'asks again after it is taken back, once and for all'),
  ],
  'A store that fails, or takes longer than `timeoutMs` (5,000), allows nothing: the user is asked.': [
    constant('packages/core/src/steps/rememberPermissions.ts', 'timeoutMs'),
    test('packages/core/src/steps/rememberPermissions.test.ts', 'asks the user if the store %s, and says so once'),
  ],
  'It holds the latest 100 permissions of an agent, each of at most 32,768 characters.': [
    constant('packages/core/src/journal/permissionStore.ts', 'most'),
    constant('packages/core/src/journal/permissionStore.ts', 'longest'),
    test(
      'packages/core/src/steps/rememberPermissions.test.ts',
      'keeps the latest hundred of an agent, and one for all calls of a tool',
    ),
  ],
}
