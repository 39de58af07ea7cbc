import { agUiAgent, agUiHandler } from '@interleave/ag-ui'
import { chatTransport } from '@interleave/ai-sdk'
import { builtInModel, keyVault } from '@interleave/browser'
import { runObject, serveRuns, userObject } from '@interleave/cloudflare'
import { registry } from '@interleave/config'
import { remoteAgent, remoteJournal, remotePermissionStore } from '@interleave/connect/http'
import { acrossTabs } from '@interleave/connect/tabs'
import { clientTool, pageAgent, pageModel, workerAgent, workerHost } from '@interleave/connect/worker'
import { agent, approval, finalAnswer, reasonAct, tool } from '@interleave/core'
import { agentTool, delegate, route } from '@interleave/core/agents'
import { fetchTool } from '@interleave/core/fetch'
import { graph, inOwnRun, parallel, untilAnswer } from '@interleave/core/graph'
import { indexedDbJournal, indexedDbPermissionStore } from '@interleave/core/indexeddb'
import { memoryJournal, prune } from '@interleave/core/journal'
import { recorder, redact, redacting, redactingJournal } from '@interleave/core/observe'
import {
  act,
  compact,
  confidentAnswer,
  cutResults,
  enforce,
  forceAction,
  guardCalls,
  guardInput,
  guardOutput,
  limit,
  noRepeats,
  postprocess,
  redactEmails,
  reflect,
  remember,
  rememberPermissions,
  searchMemory,
  summarize,
  think,
  validate,
} from '@interleave/core/steps'
import { askUser, bundle, pinned, toolSource } from '@interleave/core/tools'
import { finishPopup, mcpClient, mcpTools, oauth, popupAuth, serveAgents } from '@interleave/mcp'
import { mcpApps } from '@interleave/mcp/apps'
import { exportTrace, otel } from '@interleave/otel'
import { historyJournal } from '@interleave/react/history'
import { hubHandler, postLive, restateAgent, restateHost, restateJournal, watchRestate } from '@interleave/restate'
import { createHandler } from '@interleave/server'
import { nodeListener } from '@interleave/server/node'
import { scriptedModel } from '@interleave/testing'
import { textMode, textModeMiddleware } from '@interleave/text'
import { exposeTools, remoteWebMcpFunctions, remoteWebMcpTools, webMcpTools } from '@interleave/webmcp'
import { expect, it } from 'vitest'
import { publicNames } from './publicNames.ts'

const model = scriptedModel()
const guide = agent({ name: 'guide', model })
const step = () => undefined
const journal = memoryJournal()
// Values for parts of a platform are not used: the options are checked first.
const unused = {} as never

/** Every function of the packages that makes something with options, called with an option that it does not have. */
const factories: Readonly<Record<string, (typo: never) => unknown>> = {
  acrossTabs: (typo) => acrossTabs(guide, typo),
  act,
  agent,
  agentTool: (typo) => agentTool(guide, typo),
  agUiAgent,
  approval,
  agUiHandler,
  askUser,
  rememberPermissions: (typo) => rememberPermissions(step, typo),
  builtInModel,
  bundle,
  chatTransport: (typo) => chatTransport(guide, typo),
  compact,
  createHandler,
  cutResults,
  delegate: (typo) => delegate(unused, typo),
  parallel: (typo) => parallel({ step }, typo),
  remoteWebMcpFunctions,
  remoteWebMcpTools,
  enforce,
  exportTrace: (typo) => exportTrace([], unused, typo),
  fetchTool,
  finishPopup,
  forceAction,
  graph,
  guardCalls: (typo) => guardCalls(unused, typo),
  guardInput: (typo) => guardInput(unused, typo),
  guardOutput: (typo) => guardOutput(step, unused, typo),
  historyJournal: (typo) => historyJournal(journal, unused, typo),
  hubHandler: (typo) => hubHandler(unused, typo),
  indexedDbPermissionStore,
  indexedDbJournal,
  inOwnRun: (typo) => inOwnRun(guide, typo),
  keyVault,
  limit: (typo) => limit({ iterations: 1 }, typo),
  mcpApps: (typo) => mcpApps(unused, typo),
  mcpClient,
  mcpTools: (typo) => mcpTools(unused, typo),
  nodeListener: (typo) => nodeListener(unused, typo),
  noRepeats,
  serveAgents: (typo) => serveAgents(unused, typo),
  exposeTools: (typo) => exposeTools(unused, typo),
  confidentAnswer,
  finalAnswer,
  oauth,
  otel: (typo) => otel(unused, typo),
  pageAgent: (typo) => pageAgent(guide, typo),
  pageModel: (typo) => pageModel('small', typo),
  clientTool,
  webMcpTools,
  userObject: (typo) => userObject(unused, typo),
  pinned: (typo) => pinned({}, typo),
  popupAuth,
  postprocess: (typo) => postprocess(step, unused, typo),
  postLive,
  prune: (typo) => prune(journal, typo),
  reasonAct,
  recorder,
  redact: (typo) => redact([], typo),
  redactEmails,
  redacting: (typo) => redacting(step, typo),
  redactingJournal: (typo) => redactingJournal(journal, typo).append('r', [], {}),
  reflect,
  registry,
  remember: (typo) => remember(step, typo),
  remoteAgent,
  remotePermissionStore,
  remoteJournal,
  restateAgent,
  restateHost,
  restateJournal,
  route,
  runObject: (typo) => runObject(unused, typo),
  searchMemory,
  serveRuns,
  summarize,
  textMode: (typo) => textMode(model, typo),
  textModeMiddleware,
  think,
  tool,
  toolSource,
  untilAnswer: (typo) => untilAnswer(step, typo),
  validate: (typo) => validate(step, () => undefined, typo),
  watchRestate,
  workerAgent: (typo) => workerAgent(unused, 'guide', typo),
  workerHost: (typo) => workerHost([guide], typo),
}

it.each(Object.entries(factories))('%s() refuses an option that it does not have', async (_, make) => {
  await expect(async () => await make({ zzz: 1 } as never)).rejects.toThrow('has no option `zzz`.')
})

/** Functions that do not check the names of their options. Those that set up an agent, a run or a server are not among them. */
const unchecked = `agUiEvents createRunStore createTextReader evaluate exportRun fork historyOptions
  importRun judge keyValuePermissionStore pastRun printTranscript
  readCases readText replayRun runChild sideCall testRun toAgUi toUIMessageStream`

/** Functions without options, and values. */
const without = `adviceOf aiTool allow answer askToPersist block checkConfig childId choice choices concurrently configOf
  configSchema confirm contains createJournal declared declinable defaultPrompt dropTurns editConfig elsewhere en
  enforced eventsOf exact expectTrace failureSentences file findFaults fold foreignLink form formatConfig
  formatEvaluation formatTrace fromUIMessages hasHidden historyKeys hostOf inOrder inspectRuns isAgentError isKept
  journalSuite jsonEqual jsonSchema languageModel limitCalls link liveHub loadAgents localHost logOptions
  malformedStep manualHost memoryJournal messagesOf missingTools observe observer textAnswer openCalls parseConfig
  partialOutput passRate persistence pinsOf plainJson plainText planNext position postgresJournal postgresTables
  prices publicLookup recordModel reduce remind replay replyTo requestAt retryCompacted rewrite router recoverRun
  savedRun scratchpad scriptedModel segmentsOf sqliteJournal sqlJournal staticRun tabHost text timelineOf toMermaid
  toUIMessages traceIds uiMessageChunks usageRowsOf userMessageOf value visitCounts wait`

const others: ReadonlySet<string> = new Set(`${unchecked} ${without}`.split(/\s+/))

it('knows every public function', () => {
  const names = [...publicNames()].filter(([name, { kind }]) => kind === 'value' && /^[a-z]/.test(name))
  const unknown = names.filter(([name]) => !/^use[A-Z]/.test(name) && !factories[name] && !others.has(name))

  expect(unknown.map(([name, { from }]) => `${from} ${name}`)).toEqual([])
})
