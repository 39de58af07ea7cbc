import { type Claims, test } from '../proofs.ts'

export const claims: Claims = {
  'Some checks only help developers: they find a misspelled option, and name the one that was meant.': [
    test('test/docs/production.test.ts', 'says in development which option was meant, and refuses the same approval'),
  ],
  'An error reaches you in one of three ways:': [
    test('packages/core/src/steps/think.test.ts', 'gives up after its attempts, and says with what'),
    test('packages/core/src/agent.options.test.ts', 'throws at once for %o, saying what to do'),
    test(
      'packages/core/src/capabilities/questions/openQuestions.test.ts',
      'refuses a reply that does not fit, and keeps the question open',
    ),
  ],
  'Four messages are written for users, who read them: of `approval_changed`, `guard_blocked`, `reply_invalid` and `tool_refused`.':
    [test('packages/core/src/history/userMessage.test.ts', 'tells users what was written for them')],
  '`model_failed` | the provider reports an error or is unreachable | follow `adviceOf(error).developer`': [
    test('packages/core/src/steps/think.test.ts', 'gives up after its attempts, and says with what'),
    test('test/docs/failures.test.ts', 'says what to do where a key, a model, an address or the network is wrong'),
  ],
  '`model_timeout` | a turn took longer than `caps.maxMs` | resume; raise the cap': [
    test('packages/core/src/steps/think.test.ts', 'ends a turn that takes too long, though the model continues'),
  ],
  '`model_idle` | the model or external agent sent nothing for `idleMs` | resume; raise the cap': [
    test('packages/core/src/steps/think.test.ts', 'ends a turn in which nothing arrives'),
    test('packages/core/src/agents/delegate.test.ts', 'gives up what sends nothing, but not while a user is asked'),
  ],
  '`model_incomplete` | the stream ended early, or reached its limit | resume; raise `maxOutputTokens`': [
    test('packages/core/src/steps/cutOff.test.ts', 'says that the connection broke off'),
    test('packages/core/src/stop/textAnswer.test.ts', 'says of an answer that the limit of output cut it off'),
  ],
  '`model_too_large` | a turn was larger than a cap | raise `caps.maxCharacters` or `caps.maxBytes`': [
    test('packages/core/src/steps/think.test.ts', 'ends a turn of too many %s, though the model continues'),
    test('packages/core/src/modelBounds.test.ts', 'gives up a turn of too many %s, and continues when it is asked to'),
  ],
  '`model_malformed` | the provider sent an invalid turn | resume; try another model': [
    test('packages/text/src/textMode.test.ts', 'fails after three malformed steps in a row, and resumes from there'),
    test('packages/core/src/modelBounds.test.ts', 'refuses the name of %s'),
  ],
  '`model_filtered` | a content filter withheld the answer | change the message': [
    test('packages/core/src/capabilities/answer/finalAnswer.test.ts', 'fails where the provider withheld the answer'),
  ],
  '`context_full` | the conversation is too long for the model | use `compact`, or start a new run': [
    test(
      'packages/core/src/steps/compact/compact.test.ts',
      'fails when the message itself is too much, and each time again',
    ),
    test(
      'packages/core/src/steps/compact/retryCompacted.test.ts',
      'fails where the model refuses twice in a row, and tries again when told to',
    ),
  ],
  '`answer_invalid` | no attempt gave a valid answer; a router did not decide | raise `attempts`; improve the instructions':
    [
      test(
        'packages/core/src/steps/validate.test.ts',
        'fails with the last problem once the attempts are used up, given %s',
      ),
      test(
        'packages/core/src/agents/route.test.ts',
        'fails when it comes to no decision, and asks again when it continues',
      ),
    ],
  '`answer_missing` | the model neither called a tool nor answered | improve the instructions': [
    test('packages/core/src/steps/enforce.test.ts', 'fails where %s'),
  ],
  '`guard_blocked` | a guard blocked a message or an answer | tell the user the reason': [
    test('packages/core/src/steps/guardOutput.test.ts', 'fails with the reason, and continues with the next message'),
    test(
      'packages/core/src/steps/guardInput.test.ts',
      'ends the request for a blocked message, and never gives it to the model',
    ),
  ],
  '`guard_failed` | a guard threw, took too long, or gave no verdict | fix the guard; raise its `timeoutMs`': [
    test(
      'packages/core/src/steps/guardInput.test.ts',
      'lets nothing through when the check %s, and judges again on resume',
    ),
    test('packages/core/src/steps/verdict.test.ts', 'takes the time of a check from `timeoutMs`'),
  ],
  "`call_repeated` | `noRepeats` ended a run that repeats a call | improve the tool's output": [
    test(
      'packages/core/src/steps/noRepeats.test.ts',
      'warns of the third call that is the same, and ends the run at the next',
    ),
  ],
  "`stalled` | a backend did nothing; an observer's hook does not settle; a stream was open too long | add a step that acts or stops; settle the hook":
    [
      test('packages/core/src/engine/localRun.test.ts', 'fails as stalled when a pass does nothing'),
      test(
        'packages/core/src/log/observe.test.ts',
        'says so when an observer is far behind, as one whose promise never settles',
      ),
      test('packages/ag-ui/src/handler/agUiFrames.test.ts', 'says why it cannot follow a run any more: %o'),
    ],
  '`too_deep` | child runs nest deeper than `maxDepth` | raise `maxDepth`': [
    test(
      'packages/core/src/agents/agentTool.test.ts',
      'lets runs nest four levels by default, and tells the agent at the last that it is too deep',
    ),
  ],
  '`tool_failed` | the tool threw | throw errors that help the model': [
    test('packages/core/src/steps/endOfCall.test.ts', 'tells the model of an error that the tool itself reports'),
  ],
  '`tool_input_invalid` | the input does not fit the schema | nothing: the model reads the problem': [
    test('packages/core/src/bounds.test.ts', 'row 12: makes one error of arguments that are %s, and continues'),
  ],
  '`tool_unknown` | the turn has no such tool | nothing: the model reads which tools there are': [
    test('packages/core/src/steps/boundCalls.test.ts', 'counts no calls that no one runs'),
    test('packages/core/src/steps/act.test.ts', 'has no tool called %s'),
  ],
  '`tool_timeout` | a `readOnly` or `idempotent` call took longer than `timeoutMs` | raise `timeoutMs`': [
    test('packages/core/src/steps/endOfCall.test.ts', 'tells the model that the time of a call is up that is %s'),
  ],
  '`tool_refused` | a user refused the call | nothing: the model reads the reason': [
    test(
      'packages/core/src/history/messagesOf.test.ts',
      'tells a call that was refused from one that failed, each with its reason',
    ),
    test('packages/core/src/steps/performCall.test.ts', 'tells the model of the refusal %j'),
  ],
  '`tool_skipped` | a user skipped an interrupted call, or one that no open page could run | nothing': [
    test('packages/connect/src/clientTool.test.ts', 'continues without a page if the user chooses that'),
    test('packages/core/src/engine/localRun.test.ts', 'leaves no call open that an answer came before'),
  ],
  "`tool_interrupted` | the call may already have run: its time is up, or its page, process or connection is gone | the tool's `effect` decides":
    [
      test(
        'packages/core/src/steps/endOfCall.test.ts',
        'I5: asks about a call whose time is up, and does not tell the model that it failed',
      ),
      test(
        'packages/core/src/steps/performCall.test.ts',
        'asks what to do with a call that was lost in the middle, as after a crash',
      ),
    ],
  "`too_many` | `limitCalls` or a server's limit (429) is reached; an MCP server asks without end | wait, or raise the limit":
    [
      test(
        'packages/core/src/steps/limitCalls.test.ts',
        'row 2: runs so many calls of a tool for each message, and tells the model of the others',
      ),
      test('packages/server/src/createHandler.test.ts', 'lets each do so much: requests, runs at work, and streams'),
      test('packages/mcp/src/tools/lyingServer.test.ts', 'gives up a call whose questions fill the log'),
    ],
  '`not_allowed` | `fetchTool` may not request this address; a server refused the user (401) or origin (403) | allow the address; sign in; add to `allowedOrigins`':
    [
      test(
        'packages/core/src/tools/fetchTool.test.ts',
        'row 10: connects to none of the hostile addresses where it may ask %s',
      ),
      test(
        'packages/connect/src/http/server.test.ts',
        'gives up when the other ones are refused too, and where there are none',
      ),
      test('packages/server/src/threats.test.ts', 'row 8: lets in the pages of its own origin where none are listed'),
    ],
  '`tools_unavailable` | a source of tools cannot be read before the first turn | resume': [
    test(
      'packages/core/src/tools/toolSource.test.ts',
      'fails when the tools cannot be read, and continues once they can',
    ),
  ],
  '`journal_conflict` | the run was resumed elsewhere, or its id is taken | continue there, or call `agent.resume(id)` to continue here; in a worker, `run.resume()` does':
    [
      test(
        'packages/connect/src/worker/workerAgent.test.ts',
        'continues a run here that was continued elsewhere, once its user tries again',
      ),
      test('packages/core/src/log/log.test.ts', 'stops one of two owners of a run'),
      test('packages/core/src/log/log.test.ts', 'refuses to begin a run under an id that is taken'),
    ],
  '`journal_failed` | the journal cannot be read or written | resume once the storage works': [
    test(
      'packages/core/src/log/log.test.ts',
      'fails when the journal does, runs no tool, and writes everything when it is resumed',
    ),
    test('packages/core/src/log/saving.test.ts', 'fails at once with %s'),
  ],
  '`journal_full` | the storage is full, or one write is too large | free some storage, then resume': [
    test(
      'packages/core/src/log/writer.test.ts',
      'settles when the journal is full, runs no tool, and writes everything once there is room',
    ),
    test(
      'test/restate/limits.restate.test.ts',
      'settles where a result is too large, and continues with a smaller one, over %s',
    ),
  ],
  '`log_invalid`, `state_invalid` | a stored run is damaged; a step gave an invalid signal; a graph lost its node | the message names the event; see Journals':
    [
      test('packages/core/src/checkLog.test.ts', 'refuses a log before anything is done with it'),
      test('packages/core/src/graph/graph.test.ts', 'says so when the node of a run is gone'),
    ],
  '`agent_mismatch` | the run is of another agent | resume it with that agent, or pass `renamedFrom`': [
    test('packages/core/src/checkLog.test.ts', 'refuses the run of another agent, unless it had that name before'),
  ],
  '`run_unknown` | there is no such run | start a new one': [
    test('packages/core/src/log/log.test.ts', 'does not know a run that is not there'),
  ],
  '`run_busy` | the run cannot do this now, for example while it waits for an answer | follow the message': [
    test(
      'packages/core/src/engine/queue.test.ts',
      'refuses to change a message that a turn has, that is not there, or that is not of the user',
    ),
    test('packages/ai-sdk/src/chatTransport.test.ts', 'refuses a message while a question is open, and says why'),
  ],
  '`ask_unknown` | the question is not open | take the id from `run.state.asks`': [
    test('packages/core/src/capabilities/questions/openQuestions.test.ts', 'says what a reply to %j needs'),
    test('packages/connect/src/owner.test.ts', 'takes one of two replies at once'),
  ],
  '`reply_invalid` | the reply does not fit the question, which stays open | reply again': [
    test(
      'packages/core/src/capabilities/questions/openQuestions.test.ts',
      'refuses a reply that does not fit, and keeps the question open',
    ),
  ],
  '`approval_changed` | an approval names the prompt that the user read, and the input has another one: the message | show it, and reply with it':
    [
      test(
        'packages/core/src/steps/approvedPrompt.test.ts',
        'rejects an approval that has read %s, and says which it is',
      ),
    ],
  '`interrupted` | a page closed during this turn | nothing: the run continues': [
    test(
      'packages/core/src/log/drafts.test.ts',
      'keeps what had arrived of a long turn when its page went away, and asks for the turn again',
    ),
  ],
  '`stopped` | the run was stopped, or closed in this process | `resume()`': [
    test('packages/core/src/engine/localRun.test.ts', 'continues after a stop from the same host'),
    test('packages/core/src/engine/localRun.test.ts', 'stops %s'),
  ],
  '`step_failed` | a step threw, or a policy or schema that checks a reply | fix it, then resume or reply again': [
    test(
      'packages/core/src/capabilities/questions/openQuestions.test.ts',
      'fails a reply whose check throws, and leaves the question open',
    ),
    test('packages/core/src/engine/localRun.test.ts', 'fails when a step %s'),
    test('packages/core/src/reasonless.test.ts', 'takes a step that throws %s for a failure'),
  ],
  '`invariant_broken` | a bug in Interleave | report it with the log': [
    test(
      'packages/core/src/steps/performCall.test.ts',
      'ends the run where a rule does not hold that is checked while it works',
    ),
  ],
  '`remote_failed` | the server is unreachable, or something else answers | check the address': [
    test(
      'packages/connect/src/http/server.test.ts',
      'says what to check if there is no response, or one that no handler sends',
    ),
    test('packages/connect/src/http/saidAtOnce.test.ts', 'says after two seconds that there is no answer yet'),
  ],
  "`server_failed` | an internal error of the server | look at the server's log": [
    test('packages/server/src/createHandler.test.ts', 'says nothing of what goes wrong inside'),
    test('packages/server/src/authenticate.test.ts', 'blames no one but authorize for what stands for no user: %j'),
  ],
  '`request_invalid` | the server does not accept the request | follow the message': [
    test('packages/server/src/createHandler.test.ts', 'says what a wrong member of a body should be'),
    test(
      'packages/connect/src/http/remotePermissionStore.test.ts',
      'refuses to take back what has no id, or an endless one',
    ),
  ],
  "`token_invalid` | a reply's token is stale, or a file is of another server | read the run again": [
    test(
      'packages/connect/src/http/remoteJournal.test.ts',
      'refuses a file that was changed, belongs to another user, or was never exported',
    ),
    test(
      'packages/connect/src/http/remoteAgent.test.ts',
      'answers only the question that its page has seen, also if another run has the same id and question',
    ),
  ],
  "`too_large` | a body exceeds the server's `bodyBytes`; an MCP server or page tool returns too much | send or return less":
    [
      test(
        'packages/server/src/bodies.test.ts',
        'bounds the body of such a request too, by its length and by what arrives',
      ),
      test('packages/mcp/src/client/mcpClient.test.ts', 'reads no more of an answer than it may hold'),
      test(
        'packages/connect/src/http/remoteAgent.test.ts',
        'gives the model the error if the server refuses an output',
      ),
    ],
  '`worker_failed` | the worker does not load or answer, or has crashed | create it again, and resume': [
    test('packages/connect/src/worker/link.test.ts', 'fails where the worker cannot be loaded'),
    test('packages/connect/src/worker/link.test.ts', 'fails if there is no answer'),
    test('packages/connect/src/worker/presence.test.ts', 'fails a run that was not stored and begun, if %s'),
  ],
  '`options_invalid` | an option is unknown or invalid | follow the message': [
    test('packages/core/src/agent.options.test.ts', 'refuses to resume from %j'),
    test('packages/core/src/agent.options.test.ts', 'throws at once for %o, saying what to do'),
  ],
  '`config_invalid` | a declared agent has mistakes | the message has each with its line': [
    test('packages/config/src/checkConfig.test.ts', 'throws them as one error'),
  ],
  '`graph_invalid` | a graph cannot work | follow the message': [
    test('packages/core/src/graph/graph.test.ts', 'tells all faults at once, with what to do about each'),
  ],
  '`schema_unsupported` | a schema cannot become JSON Schema | use another schema': [
    test('packages/core/src/schema.test.ts', 'says what to do about a schema without JSON Schema'),
    test('packages/core/src/schema.test.ts', 'says whose schema cannot be JSON Schema'),
  ],
  '`json_invalid` | a value cannot be stored as JSON, such as a Map or a cycle | convert it first': [
    test(
      'packages/core/src/steps/outcomeOf.test.ts',
      'a tool that returns a %s fails with a message that says what to return',
    ),
    test(
      'packages/core/src/bounds.test.ts',
      'row 12: makes one error of an output that is 20,000 levels deep, and continues',
    ),
  ],
  "users of a page: `SignalOutlet`, `Transcript`, the chat of `useChat` | the sentence; the page's console has the message once":
    [
      test(
        'packages/react/src/outlet/FailureAlert.test.tsx',
        'says it in the console once, however many components show it',
      ),
    ],
}
