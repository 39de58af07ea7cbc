import { DEV } from '#checks'
import type { ApprovalAsk } from '../allowed.ts'
import { asking, type TypedQuestion } from '../ask.ts'
import { approvalKey } from '../call.ts'
import { questionOf } from '../engine/asks.ts'
import { orStopped } from '../engine/wait.ts'
import { AgentError } from '../error.ts'
import { type Json, sameJson, toJson } from '../json.ts'
import { type ApprovalReply, checkPrompt, isPromptRequest } from '../question.ts'
import type { Activity, RunContext } from '../run.ts'
import type { Checked, JsonSchema } from '../schema.ts'
import type { Call } from '../state.ts'
import type { Outcome, ToolSpec } from '../tool.ts'
import { contextFor } from './contextFor.ts'
import { applyEdit, copyInput, shownInput } from './input.ts'

export interface Proposal {
  readonly run: RunContext
  readonly call: Call
  readonly activity: Activity
  readonly spec: ToolSpec
  /** The input as the schema parsed it. */
  readonly input: unknown
}
export interface Approved {
  readonly input: unknown
  /** The input as JSON, as the user saw it. Absent without a question. */
  readonly seen?: Json
  /** The input as JSON, if the user changed it. */
  readonly edited?: Json
  /** The prompt of that input, if it is another one. */
  readonly prompt?: string
}

/** Asks a user for approval if the tool's policy requires it. A refusal throws, and the model reads it. */
export function approve(proposal: Proposal): Approved | Promise<Approved> {
  const decided = decide(proposal)
  return decided instanceof Promise
    ? decided.then((needed) => approveIf(needed, proposal))
    : approveIf(decided, proposal)
}

function approveIf(needed: unknown, proposal: Proposal): Approved | Promise<Approved> {
  const { run, call, input } = proposal
  // A question that was asked stays open until it is answered, whatever the policy says later.
  const isAsked = needed || questionOf(run.state, approvalKey(call), call.key)
  return isAsked ? askApproval(needed, proposal) : { input }
}

async function askApproval(needed: unknown, proposal: Proposal): Promise<Approved> {
  const { run, call, activity, spec, input } = proposal
  // The input as it will run: with the defaults of the schema.
  const shown = shownInput(spec.name, input)
  const promptOf = async (decided: unknown): Promise<string> => {
    const own = typeof decided === 'string' && decided ? decided : `Allow ${spec.name}?`
    return (await run.agent.live?.promptFor(run, spec, own)) ?? own
  }
  const prompt = await promptOf(needed)
  const { description, effect, allowing } = spec
  const question = approvalOf({ ...call, input: shown }, await spec.schema.json, {
    prompt,
    ...askerOf(run),
    ...(effect === 'pure' && { pure: true }),
    ...(typeof description === 'string' && { description }),
    ...allowing,
  })
  /** The edited input has to fit the schema like the model's own, before anything is decided, and has a prompt too. */
  const check = async (reply: unknown): Promise<Checked> => {
    const isRequest = isPromptRequest(reply)
    const plain = isRequest ? ({ ok: true, value: { input: reply.preview } } as const) : await question.check(reply)
    const { input: edited, ...decision }: { readonly input?: Json } = plain.ok ? Object(plain.value) : {}
    if (!plain.ok || edited === undefined) return plain
    const applied = await applyEdit({ schema: spec.schema, given: givenBy(call), input, shown, edited })
    if (!applied.ok) return applied
    // What a user approves is what the question says of this input. If the policy throws, that is no fault of the reply.
    const again = sameJson(edited, shown) ? prompt : await promptOf(await decide({ ...proposal, input: applied.value }))
    if (isRequest) return { ok: false, code: 'approval_changed', message: again }
    const isRead = checkPrompt(reply, again)
    return isRead.ok ? { ok: true, value: { ...decision, input: edited, value: applied.value, prompt: again } } : isRead
  }
  const { input: edited, value, prompt: read } = await permission(call, activity, { ...question, check })
  if (edited === undefined) return { input, seen: shown }
  return { input: value, seen: edited, edited, ...(read !== undefined && read !== prompt && { prompt: read }) }
}

/** Returns the input as the model wrote it, even if the user has changed it. */
export const givenBy = ({ proposed, input }: Call): Json => proposed ?? input

/** Returns whether to ask, or the prompt. */
function decide({ run, call, spec, input }: Omit<Proposal, 'activity'>): unknown {
  const { approve: policy } = spec
  if (typeof policy === 'string') return policy === 'always'
  const ask = (context: unknown): unknown => policy(copyInput(input), run.state, { context, toolCallId: call.id })
  const context = contextFor(run, spec)
  const decided = orStopped(context instanceof Promise ? context.then(ask) : ask(context), run.abortSignal)
  const check = (decision: unknown): unknown => checkDecision(spec.name, decision)
  return decided instanceof Promise ? decided.then(check) : check(decided)
}

/** Throws for a decision that is none: a number may be a prompt that was meant, or a condition. */
function checkDecision(name: string, decision: unknown): unknown {
  if (typeof decision === 'boolean' || typeof decision === 'string') return decision
  throw new AgentError(
    'options_invalid',
    DEV &&
      `The \`approve\` of the tool "${name}" returned ${decision === null ? 'null' : `a value of the type ${typeof decision}`}. Return true, false, or the prompt as a string.`,
  )
}

/** Asks for approval of a call that the provider runs. Its result arrives in a later turn. */
export async function approveForProvider({ run, call, activity }: Omit<Proposal, 'spec' | 'input'>): Promise<Outcome> {
  const question = approvalOf(call, {}, { allow: 'once', ...askerOf(run) })
  /** The provider has the input already. */
  const check = (reply: unknown): Checked | PromiseLike<Checked> => {
    const { input = call.input }: { readonly input?: Json } = Object(reply)
    return sameJson(input, call.input) ? question.check(reply) : { ok: false, message: ofProvider }
  }
  await permission(call, activity, { ...question, check })
  return { result: { type: 'json', value: { approved: true } } }
}

const ofProvider = 'The provider runs this call, so its input cannot be changed here.'

/** The result of `check` for an approving reply. `value` is the input to run with, if the user changed it. */
interface Permission {
  readonly input?: Json
  readonly value?: unknown
  /** The prompt of that input. */
  readonly prompt?: string
}

async function permission(call: Call, activity: Activity, asking: TypedQuestion<ApprovalReply>): Promise<Permission> {
  const reply = await activity.ask(approvalKey(call), asking)
  if (!reply.approved) throw new AgentError('tool_refused', reply.reason ?? '')
  return reply
}

/** Returns the agent that asks, if the run was handed to one. */
const askerOf = ({ handedTo }: RunContext): Pick<Details, 'agent'> =>
  handedTo === undefined ? {} : { agent: handedTo }

type Details = Partial<Pick<ApprovalAsk, 'prompt' | 'agent' | 'pure' | 'description' | 'allow' | 'allowBy'>>

const approvalOf = ({ name: tool, input }: Call, schema: JsonSchema, details: Details): TypedQuestion<ApprovalReply> =>
  asking({ kind: 'approval', prompt: `Allow ${tool}?`, tool, input, schema, ...details })

/** Returns the input as the tool's schema parses it, or a problem for the model. */
export function checkInput({ run, spec }: Pick<Proposal, 'run' | 'spec'>, input: unknown): unknown {
  // A schema may return the very object that it gets, and the tool may change it: the state has its own.
  const checking = spec.schema.check(toJson(input))
  const value = (checked: Checked): unknown => {
    // A default of the schema is the same object each time.
    if (checked.ok) return copyInput(checked.value)
    throw new AgentError('tool_input_invalid', `The input of ${spec.name} does not fit its schema: ${checked.message}`)
  }
  return 'then' in checking ? orStopped(checking, run.abortSignal).then(value) : value(checking)
}
