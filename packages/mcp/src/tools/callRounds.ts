import { pause } from '@interleave/connect/internal'
import { AgentError, type Json, localHost, type ToolContext } from '@interleave/core'
import { clockOf, isObject, readThrown, toJson, whileRefused } from '@interleave/core/internal'
import { CutOff } from '../client/exchange.ts'
import type { CallParams, McpProgress, McpServer } from '../client/mcpServer.ts'
import { type JsonObject, longestMessage } from '../client/rpc.ts'
import { checkNumber, elicitation, questionsIn } from './elicitation.ts'

export interface Calling {
  readonly server: McpServer
  readonly name: string
  /** True if the user decides about a call that may have run. Otherwise it fails, and the model may repeat it. */
  readonly isOnce: boolean
  readonly input: JsonObject
  readonly context: ToolContext
  readonly onProgress: (progress: McpProgress) => void
}

/** A round in the log: a question of the server, or the expiry of its state. */
type Round =
  | { readonly inputRequests?: Json; readonly requestState?: string; readonly isError?: true }
  | { readonly expired: true }

const mostRounds = 64
const mostBeginnings = 4

/** Calls a tool, and answers its server's questions. Each round is in the log before its questions are asked. */
export async function callRounds(calling: Calling): Promise<JsonObject> {
  const { server, name, input, context } = calling
  let answer: Pick<CallParams, 'inputResponses' | 'requestState'> = {}
  let beginnings = 1
  let logged = 0
  let idle = 0
  for (let number = 0; number < mostRounds; number++) {
    const outcome = await sendOnce(`round ${number}`, context.once, () =>
      send(calling, { name, arguments: input, ...answer }),
    )
    if ('result' in outcome) return outcome.result
    const { round } = outcome
    logged += JSON.stringify(round).length
    if (logged > longestMessage) throw tooLarge(server)
    if ('expired' in round) {
      // The server rejected it before executing anything. The earlier answers belong to an operation that is over.
      if (++beginnings > mostBeginnings) break
      answer = {}
      continue
    }
    const inputResponses: Record<string, JsonObject> = {}
    for (const [key, question] of questionsIn(round.inputRequests, server.host)) {
      inputResponses[key] = await context.ask(question)
      idle = 0
    }
    if (round.isError) {
      if (Object.values(inputResponses).some(({ action }) => action !== 'accept')) throw notOpened(server)
      // The server knows what the user did there. The call is made again as it was.
      continue
    }
    const { requestState } = round
    answer = { inputResponses, ...(requestState !== undefined && { requestState }) }
    if (Object.keys(inputResponses).length === 0) await pause(localHost, waitMs(idle++), context.abortSignal)
  }
  throw new AgentError('too_many', `The MCP server ${server.host} asks without end.`)
}

const notOpened = ({ host }: McpServer): AgentError =>
  new AgentError('tool_failed', `The MCP server ${host} needs the user to open a page, and the user refused.`)

/** The rounds of a call are all in the log, so together they may be as long as one message. */
const tooLarge = ({ host }: McpServer): AgentError =>
  new AgentError('too_large', `The questions of the MCP server ${host} have more than ${longestMessage} characters.`)

const waitMs = (idle: number): number => Math.min(250 * 2 ** idle, 15_000)

type Sent = { readonly result: JsonObject } | { readonly round: Round }

async function send({ server, isOnce, context, onProgress }: Calling, params: CallParams): Promise<Sent> {
  const { abortSignal: signal, idempotencyKey, runId, ask } = context
  /**
   * Answers a question of a server of 2025, whose call stays open meanwhile. If the page closes during it, the engine
   * asks what to do with the call.
   */
  let open = 0
  const onElicit = async (asked: JsonObject): Promise<JsonObject> => {
    checkNumber(open + 1, server.host)
    open++
    try {
      return await ask(elicitation(asked, server.host))
    } finally {
      open--
    }
  }
  try {
    const result = await server.callTool(params, {
      ...{ signal, idempotencyKey, runId, onProgress, onElicit },
      whileUserActs: (work) => whileUserActs(context, work),
      whileRefused: (work) => whileRefused(context, work),
    })
    if (result.resultType !== 'input_required') return { result }
    const { inputRequests, requestState } = result
    return {
      round: { ...(inputRequests && { inputRequests }), ...(typeof requestState === 'string' && { requestState }) },
    }
  } catch (error) {
    const inputRequests = pagesIn(error)
    if (inputRequests) return { round: { inputRequests, isError: true } }
    if (isOnce && error instanceof CutOff) throw new AgentError('tool_interrupted', error.message, { cause: error })
    if (params.requestState === undefined || !isExpired(error)) throw error
    return { round: { expired: true } }
  }
}

/**
 * Returns the pages that the user has to open before the call can be made, for example to sign in. A server of 2025 names
 * them in an error, and has not executed the call.
 */
function pagesIn(error: unknown): JsonObject | undefined {
  const isAsking = readThrown(error, ({ rpcCode, code }) => (rpcCode ?? code) === urlElicitationRequired, false)
  const pages: unknown = isAsking && readThrown(error, ({ data }) => isObject(data) && data.elicitations, undefined)
  if (!Array.isArray(pages) || pages.length === 0) return undefined
  const asked = pages.filter(isObject).map(({ message, url }, index) => {
    return [String(index), { method: 'elicitation/create', params: { mode: 'url', message, url } }]
  })
  return toJson(Object.fromEntries(asked)) as JsonObject
}
const urlElicitationRequired = -32042

/** Does what waits for a user who has to sign in. Its time does not count for the call. */
async function whileUserActs<T>(context: ToolContext, work: () => PromiseLike<T>): Promise<T> {
  const clock = clockOf(context)
  clock?.stop()
  try {
    return await work()
  } finally {
    if (clockOf(context) === clock) clock?.start()
  }
}

const isExpired = (error: unknown): boolean =>
  readThrown(error, ({ data }) => isObject(data) && data.reason === 'invalid_request_state', false)

/** Sends a round, unless the log has it. A result is not stored here: the log has it as the result of the call. */
async function sendOnce(key: string, once: ToolContext['once'], send: () => Promise<Sent>): Promise<Sent> {
  let over: Sent | undefined
  try {
    const round = await once(key, async () => {
      const sent = await send()
      if ('round' in sent) return sent.round
      over = sent
      throw notStored
    })
    return { round }
  } catch (error) {
    if (over && error === notStored) return over
    throw error
  }
}

/** The error that prevents `once` from storing a result. */
const notStored = new Error('This is not stored.')
