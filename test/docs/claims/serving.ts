import { type Claims, constant, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  "The page imports only the agent's type.": [
    test('test/docs/blocks.test.ts', 'type-checks every block of code of every page, under strict'),
  ],
  "A call of a journal that has not answered for 15 seconds counts as failed, and the server's log says so.": [
    constant('packages/server/src/servedJournal.ts', 'callMs', 'seconds'),
    test(
      'packages/server/src/servedJournal.test.ts',
      'ends each call that has no answer, as one that may be tried again, and says so once in the log',
    ),
  ],
  'a string | the user; runs belong to the user who started them, and for others they do not exist (404)': [
    test('packages/server/src/threats.test.ts', 'row 7: $method $path of others is that of a run that never was'),
  ],
  '`undefined` | a 401': [
    test(
      'packages/server/src/threats.test.ts',
      'row 7: does nothing without authorize, and refuses a request without a user',
    ),
    test('packages/server/src/authenticate.test.ts', 'refuses a request without a user: %j'),
  ],
  'If one process serves several apps, add the app to the string: two users must never have the same one.': [
    test('packages/server/src/threats.test.ts', 'row 7: separates users whose names begin alike'),
  ],
  "By default only pages of the server's own origin may call, also behind a proxy that ends TLS.": [
    test('packages/server/src/threats.test.ts', 'row 8: lets in the pages of its own origin where none are listed'),
    test('packages/server/src/isOwnOrigin.test.ts', 'knows its own origin by %s'),
  ],
  'List other origins exactly in `allowedOrigins`, including your own, since the list replaces the default.': [
    test('packages/server/src/threats.test.ts', 'row 8: a request of %s'),
  ],
  "A page that is silent for 15 seconds counts as gone, whether its connection was closed, or its packets are dropped, or it is frozen in the back/forward cache: another page runs what it did not take, `effect` decides about what it did, and its function's `abortSignal` aborts.":
    [
      constant('packages/connect/src/toolCalls.ts', 'clientGraceMs', 'seconds'),
      test(
        'packages/server/src/clientPages.test.ts',
        'gives up a client whose stream is open and that is silent about %s',
      ),
      test(
        'packages/connect/src/http/clientCalls.test.ts',
        'aborts what it runs after a while without a stream, and says that it was interrupted if the server asks again',
      ),
      test('packages/connect/src/clientTool.test.ts', 'has the next page perform what is %s when one dies'),
    ],
  'A minute after it has settled and its last client has left, it leaves memory: a tool that asked a user then runs again from its top.':
    [
      constant('packages/server/src/liveRuns.ts', 'idleMs', 'minutes'),
      test(
        'packages/server/src/liveRuns.test.ts',
        'lets go of a run that settles and is kept, also while the journal is away',
      ),
    ],
  'A serverless function that freezes after its response executes a run only while a client reads its events.': [
    noClaim('It says what such a platform does, not what the server does.'),
  ],
  'a limit of streams in a connection of HTTP/2 | Ten are enough for many tabs.': [
    test('test/survival/manyTabs.soak.survival.test.ts', 'twenty tabs load, work, ask and answer'),
  ],
  'a pool of connections to PostgreSQL | Set its `query_timeout` below the 15 seconds of a call of the journal, so that the pool closes a connection that was forgotten. A run uses none while it waits for a model, a tool or a user.':
    [
      constant('packages/server/src/servedJournal.ts', 'callMs', 'seconds'),
      test(
        'test/servers/forgotten.soak.survival.test.ts',
        'continues within seconds on a pool with limits, says so, and does nothing twice',
      ),
      test('test/servers/forgotten.soak.survival.test.ts', 'uses no connection of the pool while runs wait'),
    ],
  'requests | sent again until confirmed, and take effect once: `start` and `say` while the run is shown, others for a minute. Then the error says “Not confirmed”: the request may still take effect':
    [
      test('packages/connect/src/http/server.test.ts', 'says of a command without an answer that it is not confirmed'),
      test('packages/connect/src/http/server.test.ts', 'retries for a minute if the server cannot be reached'),
      test('packages/connect/src/http/remoteAgent.test.ts', 'says a message once, however often it is sent'),
    ],
  'a proxy answers in place of the server | before the first answer of the server, it is an error. After that it is waited for, like a lost connection; only a 413 is an error after a minute':
    [
      test('packages/connect/src/http/session.test.ts', 'keeps what is sent while a proxy answers with %d and %s'),
      test(
        'packages/connect/src/http/server.test.ts',
        'asks again where something else answers in place of a handler that was there',
      ),
      test(
        'packages/connect/src/http/server.test.ts',
        'says what to do when a page is answered, and does not ask again',
      ),
    ],
  'the server does not answer | after two seconds `run.connection` says so; after 30 seconds the request is sent again (`timeouts`)':
    [
      constant('packages/connect/src/http/server.ts', 'slowAfterMs', 'seconds'),
      constant('packages/connect/src/http/server.ts', 'requestMs', 'seconds'),
      test('packages/connect/src/http/saidAtOnce.test.ts', 'says after two seconds that there is no answer yet'),
    ],
  'events | arrive once, in order; only streaming text is ever taken back': [
    test('packages/connect/src/http/connection.test.ts', 'receives each event once, and continues after the last one'),
    test(
      'packages/connect/src/http/remote.chaos.soak.test.ts',
      'has the same events in the same order, whatever happens on the way',
    ),
  ],
  'an expired token | a function as `headers` is called once more after a 401, with `{ isRefused: true }`. What it throws counts as a lost connection, except an `AgentError` that is not `retryable`':
    [
      test('packages/connect/src/http/remoteAgent.test.ts', 'asks for a new token when the one it has is too old'),
      test(
        'packages/connect/src/http/server.test.ts',
        'asks for other headers, once, when those that it had are refused',
      ),
      test(
        'packages/connect/src/http/server.test.ts',
        'gives up when the other ones are refused too, and where there are none',
      ),
      test('packages/connect/src/http/server.test.ts', 'asks again where a token could not be fetched, and says so'),
    ],
  'the journal fails, as while a database fails over | its write is tried again for five minutes, and the work waits; then the run shows `journal_failed`, and `resume()` continues it':
    [
      constant('packages/core/src/log/writer.ts', 'giveUpMs', 'minutes'),
      test(
        'packages/core/src/log/saving.test.ts',
        'tries a write again until the journal is back, says so meanwhile, and does everything once',
      ),
      test('packages/core/src/log/saving.test.ts', 'fails after minutes, and then is resumed as before'),
    ],
  '`request` | a request that was answered with 500 or more, or a policy or schema that threw for a reply (422); `cause` is what was thrown':
    [
      test(
        'packages/server/src/failures.test.ts',
        'tells onFailure of a request that was answered with 500 or more, and of no other',
      ),
      test(
        'packages/server/src/failures.test.ts',
        'tells developers, and no user, what a policy throws that judges an edited input',
      ),
    ],
  '`remote_failed` with “answers with a page” or “with no JSON”: requests to `url` do not reach the handler.': [
    test('packages/connect/src/http/server.test.ts', 'says what to do when a page is answered, and does not ask again'),
    test(
      'packages/connect/src/http/server.test.ts',
      'says what to check if there is no response, or one that no handler sends',
    ),
  ],
  "Many servers answer unknown paths with the app's page and status 200.": [
    test('packages/connect/src/http/server.test.ts', 'says what to do when a page is answered, and does not ask again'),
  ],
  'Text arrives about once a second: a proxy holds back the stream, in spite of `no-transform` and `x-accel-buffering: no`.':
    [
      constant('packages/connect/src/http/followWay.ts', 'workingMs', 'seconds'),
      test(
        'packages/connect/src/http/heldBack.test.ts',
        'follows a run by requests where a proxy holds back the stream, and says so',
      ),
    ],
  'After six seconds without a first byte the page asks for new events again and again instead:': [
    constant('packages/connect/src/http/connection.ts', 'firstByteMs', 'seconds'),
    test(
      'packages/connect/src/http/heldBack.test.ts',
      'follows a run by requests where a proxy holds back the stream, and says so',
    ),
  ],
  'Over HTTP/1.1 a browser opens six connections to a server, for all tabs together.': [
    noClaim('It says what browsers do: their number of connections is not ours.'),
  ],
  'So the pages of an origin keep at most two event streams open, and none for a settled run, or while a page is hidden:':
    [
      constant('packages/connect/src/http/pagePlaces.ts', 'most'),
      test('packages/connect/src/http/pagePlaces.test.ts', 'gives two places to all tabs of an origin'),
      test(
        'packages/connect/src/http/pagePlaces.test.ts',
        'keeps no stream for a run that settles or a page that is hidden, and asks at once when the page is shown',
      ),
    ],
  'works | a stream; if both are taken, a request each second | a request every 20 seconds; a stream if the page runs tools':
    [
      constant('packages/connect/src/http/followWay.ts', 'hiddenMs', 'seconds'),
      test(
        'packages/connect/src/http/followWay.test.ts',
        'asks a run that works each second, hidden every 20 seconds, and streams if the page runs tools',
      ),
    ],
  'is settled | a request after 2 seconds, then less often, up to every 15 seconds | none': [
    constant('packages/connect/src/http/followWay.ts', 'firstPauseMs', 'seconds'),
    constant('packages/connect/src/http/followWay.ts', 'longestPauseMs', 'seconds'),
    test(
      'packages/connect/src/http/followWay.test.ts',
      'asks a settled run after 2 seconds, then less often, up to every 15 seconds, and not at all while it is hidden',
    ),
  ],
  'Without HTTPS, pages cannot count their streams together: a page has a stream only as long as no other visible page wants one; otherwise each asks once a second.':
    [
      constant('packages/connect/src/http/followWay.ts', 'workingMs', 'seconds'),
      test(
        'packages/connect/src/http/pagePlaces.test.ts',
        'gives a page without locks one place, until another page wants it: then none has it',
      ),
    ],
  'send in a run that was allowed more | Only a sealed file of this user is accepted. A run in the middle of a call cannot be forked.':
    [
      test(
        'packages/server/src/restoreRun.test.ts',
        'row 6: takes none of a thousand files that were changed, and breaks at none',
      ),
      test('packages/server/src/restoreRun.test.ts', 'row 6: refuses the file of another user, and of another server'),
      test(
        'packages/server/src/threats.test.ts',
        'row 5: takes no fork from the middle of a call: what is allowed in one run is not in another',
      ),
    ],
  "reach other users' runs | Ids have 128 random bits and mean nothing without their user.": [
    test('packages/server/src/threats.test.ts', 'row 7: accepts only ids that cannot be guessed'),
    test('packages/server/src/threats.test.ts', 'row 7: $method $path of others is that of a run that never was'),
  ],
  'send requests from a foreign page | Only listed origins, never `null`, only `application/json`, no cookies from other origins.':
    [
      test('packages/server/src/threats.test.ts', 'row 8: a request of %s'),
      test('packages/server/src/threats.test.ts', 'row 8: takes no body of type %s, which pages may send unasked'),
      test('packages/server/src/threats.test.ts', 'row 8: $method $path takes only JSON'),
    ],
  '`POST /v1/runs/{id}` | starts a run: `{ agent, input }`, under a new random id of 22 to 64 letters, digits, `-` and `_`, such as a UUID; sent again, it starts no second one':
    [
      test('packages/server/src/threats.test.ts', 'row 7: accepts only ids that cannot be guessed'),
      test('packages/server/src/createHandler.test.ts', 'begins a run once, however often it is asked to'),
    ],
  '`bodyBytes` | 14,000,000: a file of 10 MB as JSON | 413': [
    constant('packages/server/src/handlerOptions.ts', 'bodyBytes'),
    constant('packages/react/src/files/useFiles.ts', 'maxBytes', 'MB'),
    test('packages/server/src/createHandler.test.ts', 'refuses %s'),
  ],
  '`requests` per minute | 600 | 429': [
    constant('packages/server/src/handlerOptions.ts', 'requests'),
    test('packages/server/src/createHandler.test.ts', 'lets each do so much: requests, runs at work, and streams'),
  ],
  '`runs` running at once | 20 | 429': [
    constant('packages/server/src/handlerOptions.ts', 'runs'),
    test('packages/server/src/createHandler.test.ts', 'lets each do so much: requests, runs at work, and streams'),
  ],
  '`streams` at once | 20 | 429': [
    constant('packages/server/src/handlerOptions.ts', 'streams'),
    test('packages/server/src/createHandler.test.ts', 'lets each do so much: requests, runs at work, and streams'),
  ],
  '`streamMs`, the duration of one stream | 10 minutes | it ends, and the client opens the next': [
    constant('packages/server/src/handlerOptions.ts', 'streamMs', 'minutes'),
    test('packages/server/src/createHandler.test.ts', 'gives signs of life, and ends after some time'),
  ],
  '`replyMs`, the lifetime of a token | a day | the client requests a new one': [
    constant('packages/server/src/handlerOptions.ts', 'replyMs', 'days'),
    test('packages/server/src/threats.test.ts', 'row 5: refuses a token whose time is over, and gives a new one'),
  ],
  '`heartbeatMs` between heartbeats | 5 seconds | Bun closes a connection after 10 seconds of silence, nginx after 60, Cloudflare after 100':
    [
      constant('packages/server/src/handlerOptions.ts', 'heartbeatMs', 'seconds'),
      test('packages/server/src/handlerOptions.test.ts', 'gives two signs of life before %s takes a stream for idle'),
    ],
  "answer another user's question, or one question twice | A reply needs a signed token: for one question of one run, one user, until `replyMs`. The log accepts one answer.":
    [
      test('packages/server/src/threats.test.ts', 'row 5: executes once what is answered three times'),
      test(
        'packages/server/src/threats.test.ts',
        'row 5: refuses a token of another user, of another run and of another question',
      ),
      test('packages/server/src/threats.test.ts', 'row 5: refuses a token whose time is over, and gives a new one'),
    ],
  'Of 20 visible tabs of one run on one machine, those without a stream have an event after 0.05 to 0.15 seconds, and the text that streams once a second; each makes up to 115 requests a minute. 20 tabs of different runs have an event after 0.6 seconds on average, 1.3 at most, and make 33 requests a minute; a settled run needs four.':
    [noClaim('Measured in Chromium on one machine, and not promised.')],
}
