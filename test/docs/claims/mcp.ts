import { type Claims, constant, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  'It speaks Streamable HTTP, in version 2026-07-28 and, with older servers, in those since 2024-11-05.': [
    test('packages/mcp/src/client/mcpClient.test.ts', 'lists and calls tools of 2026-07-28 without a handshake'),
    test(
      'packages/mcp/src/client/mcpClient.test.ts',
      'speaks the protocol of 2025 with a server that knows no other, and meets it again after a restart',
    ),
    test('packages/mcp/src/client/mcpClient.test.ts', 'refuses a version of the protocol that it does not speak (%s)'),
  ],
  'The client is 8 kB gzip, and about 15 kB with `mcpTools`.': [
    test('test/docs/docs.test.ts', 'gives the sizes that the budget allows and the benchmarks measured'),
  ],
  '`apps` | `true` if the page shows apps: some servers offer tools with them only then': [
    test('packages/mcp/src/apps/apps.test.ts', 'says to a server that it shows apps only if it does'),
  ],
  'A page can only reach a server whose CORS rules allow it:': [
    test(
      'packages/mcp/src/client/mcpClient.test.ts',
      'says in a page of another origin which headers the server has to allow',
    ),
    test('packages/mcp/src/tools/reload.soak.test.ts', 'says which headers the server has to allow'),
  ],
  'If a server allows only the headers of 2025, the client uses that protocol, and says so in the console.': [
    test(
      'packages/mcp/src/tools/reload.soak.test.ts',
      'speaks the protocol of 2025 with a server that allows only its headers, and says so',
    ),
  ],
  'An answer may have 16 MB.': [
    constant('packages/mcp/src/client/rpc.ts', 'longestMessage', 'MiB'),
    test('packages/mcp/src/client/mcpClient.test.ts', 'reads no more of an answer than it may hold'),
  ],
  'If a server refuses its own session with 400 or 404, since it has restarted, the client begins another one and sends the request once more.':
    [
      test(
        'packages/mcp/src/client/legacyEra.test.ts',
        'begins one other session if the server refuses its own with %i',
      ),
    ],
  "`approve` | `'destructive'` (the default), `'always'`, `'never'`, or `(tool, input, state) => boolean \\| string`": [
    test('packages/mcp/src/tools/mcpTools.test.ts', 'asks before a tool that destroys something'),
    test('packages/mcp/src/tools/mcpTools.test.ts', 'approves by %s'),
  ],
  '`optional` | `true` lets the agent work without a server that cannot be reached. By default its first turn fails': [
    test(
      'packages/mcp/src/tools/optional.test.ts',
      'fails without a server, unless it is optional: then the state names it until it is back',
    ),
  ],
  'By default, only tools that declare themselves destructive need approval.': [
    test('packages/mcp/src/tools/mcpTools.test.ts', 'asks before a tool that destroys something'),
  ],
  'A list is valid for the time that the server says, or a minute.': [
    constant('packages/mcp/src/client/toolList.ts', 'usualMs', 'minutes'),
    test(
      'packages/mcp/src/client/mcpClient.test.ts',
      'lists once for requests at the same time, and again when the time is up',
    ),
  ],
  'A tool that can only be called as a task is omitted.': [
    test('packages/mcp/src/tools/optional.test.ts', 'omits a tool that can only be called as a task'),
  ],
  "The first turn waits five seconds for it, and the run's state names it meanwhile:": [
    constant('packages/mcp/src/tools/mcpTools.ts', 'optionalMs', 'seconds'),
    test('packages/mcp/src/tools/optional.test.ts', 'waits once for an optional server that does not answer'),
  ],
  'images and PDFs | files for the model. It learns only the type and size of other media': [
    test('packages/mcp/src/tools/mcpTools.test.ts', 'shows pictures to the model and stores them once'),
  ],
  'none: the time is up, the connection broke, or a proxy answered 502 or 504 | a call that may have run': [
    test(
      'packages/mcp/src/tools/crash.test.ts',
      'asks the user about a payment if the connection %s before its answer',
    ),
    test(
      'packages/mcp/src/tools/lostAnswers.test.ts',
      'asks about a call whose answer a network loses, and does not repeat it: %s',
    ),
  ],
  'A server of 2026-07-28 sends its state with the question, and the log stores both.': [
    test('packages/mcp/src/tools/crash.test.ts', 'completes one operation when it is resumed at each question: %o'),
  ],
  'A server of 2025 may also refuse a call until the user has opened a page, for example to sign in (error -32042).': [
    test(
      'packages/mcp/src/client/legacyEra.test.ts',
      'asks the user to open a page that a call needs, and makes the call again',
    ),
  ],
  'Only the time in which the user acts does not count for `timeoutMs`.': [
    test('packages/mcp/src/client/renewals.test.ts', 'does not count the time of a user who signs in for a call'),
  ],
  'An expired token is renewed within 45 seconds, in up to three attempts of ten seconds; the user is asked again only if the server itself refuses to renew it.':
    [
      test(
        'packages/mcp/src/client/authorize.test.ts',
        'gives up a renewal after three attempts of ten seconds, and within 45 seconds',
      ),
      constant('packages/mcp/src/client/authorize.ts', 'allMs', 'seconds'),
      constant('packages/mcp/src/client/authorize.ts', 'answerMs', 'seconds'),
      test('packages/mcp/src/client/authorize.test.ts', 'refreshes again if the token endpoint %s once'),
      test('packages/mcp/src/client/authorize.test.ts', 'asks for consent if the server refuses the refresh token'),
    ],
  '`needed` | a button that calls `auth.open()`, with `host`. Browsers open a window only in the handler of a click': [
    test(
      'packages/mcp/src/popup/popup.soak.test.ts',
      'says that the browser has blocked the window, and gives the page for a link',
    ),
  ],
  '`expired` | that the ten minutes (`timeoutMs`) are up. The call has failed': [
    constant('packages/mcp/src/popup/popupAuth.ts', 'timeoutMs', 'minutes'),
    test('packages/mcp/src/popup/popup.soak.test.ts', 'says that the time is up'),
  ],
  'It adds about 9 kB.': [noClaim('Measured, and not promised: no budget has the difference that it makes.')],
  '`permissions` | those that apps may ask for: `camera`, `microphone`, `geolocation`, `clipboardWrite`. None by default':
    [test('packages/mcp/src/apps/apps.test.ts', 'allows an app what it declares, and nothing that is not an origin')],
  'An app cannot reach your page or its storage, and connects only to origins that its resource declares.': [
    test('packages/react/src/mcpApp/mcpApp.soak.test.ts', 'row 22: gives a hostile app nothing but what it is shown'),
  ],
  'Two ways out remain: a page of `frameDomains`, which an app shows in a frame, is limited by its own server only, and a browser may look up the name of a host (`dns-prefetch`).':
    [
      test(
        'packages/react/src/mcpApp/mcpApp.soak.test.ts',
        'row 22: does not let an app leave for a page that could take what it knows along',
      ),
    ],
  'After five refusals the app can call nothing until it is opened again.': [
    constant('packages/mcp/src/apps/appCalls.ts', 'mostRefusals'),
    test(
      'packages/mcp/src/apps/appRuns.test.ts',
      'takes the question of a call away that the app gives up, and asks none after five refusals',
    ),
    test('packages/react/src/mcpApp/mcpApp.soak.test.ts', 'row 22: lets no app keep the user busy with questions'),
  ],
  'If the app gives a call up, its question goes away: the official library does that after a minute.': [
    test(
      'packages/mcp/src/apps/appRuns.test.ts',
      'takes the question of a call away that the app gives up, and asks none after five refusals',
    ),
  ],
  '`serveAgents` has no tasks, and asks only clients of 2026-07-28: a client of 2025 gets an error instead of a question.':
    [
      test('packages/mcp/src/offer/serveAgents.test.ts', 'gives a client of 2025 an error in place of a question'),
      test(
        'packages/mcp/src/offer/serveAgents.test.ts',
        'asks the questions of its agent in an agent that calls it, and books once',
      ),
    ],
  'An answer that is sent twice counts once, but a first request that is sent twice starts two runs.': [
    test('packages/mcp/src/offer/serveAgents.test.ts', 'gives the same answer to a request that is sent twice'),
  ],
  'When a server of protocol 2026-07-28 asks the user something, the question belongs to the run: it survives a reload, can be answered in another tab, and the operation behind it completes once.':
    [
      test(
        'packages/mcp/src/tools/reload.soak.test.ts',
        'completes one operation over reloads of the page in each question',
      ),
      test('packages/mcp/src/tools/reload.soak.test.ts', 'answers in another tab what was asked in one'),
    ],
}
