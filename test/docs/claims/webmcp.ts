import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  "`only` | the only tools to take, by the page's names": [
    test(
      'packages/webmcp/src/exposeTools.test.ts',
      'asks before tools that say that they have consequences, and takes the named ones alone',
    ),
  ],
  "`approve` | `'consequential'` (the default) asks before tools with `consequentialHint`; `'always'`; `'never'`; or `(tool, input, state) => boolean \\| string`":
    [
      test(
        'packages/webmcp/src/exposeTools.test.ts',
        'asks before tools that say that they have consequences, and takes the named ones alone',
      ),
      test('packages/webmcp/src/webmcp.soak.test.ts', 'asks before a tool with consequences'),
    ],
  '`pinned` takes only those that you have reviewed:': [
    test(
      'packages/core/src/tools/pinned.test.ts',
      'row 19: runs a tool that is as it was, and tells the model what it says',
    ),
    test(
      'packages/core/src/tools/pinned.test.ts',
      'row 19: asks before each call of a tool with another %s, and tells the model nothing of it',
    ),
  ],
  'A tool that cannot be read, or whose description is longer than 100,000 characters, is omitted.': [
    constant('packages/webmcp/src/modelContext.ts', 'longest'),
    test('packages/webmcp/src/exposeTools.test.ts', 'omits a tool that cannot be read, or is too large for a prompt'),
  ],
  'At most 16 calls run at a time.': [
    constant('packages/webmcp/src/exposeTools.ts', 'mostCalls'),
    test(
      'packages/webmcp/src/exposeTools.test.ts',
      'refuses inputs that are too large, and more calls than it can take',
    ),
  ],
}
