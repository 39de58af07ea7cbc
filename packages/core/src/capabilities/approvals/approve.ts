import { approvalKey } from '../../call.ts'
import { givenBy } from '../../calls/checkInput.ts'
import { AgentError } from '../../error.ts'
import { type Json, sameJson } from '../../json.ts'
import type { ApprovalAsk } from '../../permission.ts'
import { type ApprovalReply, checkPrompt, isPromptRequest } from '../../question.ts'
import type { Activity, RunContext } from '../../run.ts'
import type { Checked, JsonSchema } from '../../schema.ts'
import { type Call, openCall } from '../../state.ts'
import type { Proposal } from '../../step.ts'
import type { Approval, Approved, Decision, Outcome } from '../../tool.ts'
import type { TypedQuestion } from '../../typedQuestion.ts'
import { interruptions } from '../interruptions/interruptions.ts'
import { asking } from '../questions/ask.ts'
import { applyEdit, shownInput } from './edit.ts'
import { approvalEngine } from './engine.ts'

/** The words of a question for approval, and the most that a reply may allow. */
export interface Words {
  readonly prompt?: string | undefined
  readonly remembering?: Pick<ApprovalAsk, 'remember' | 'rememberBy'>
}

/** Makes the question before a call. */
export const approvalBy = (words: Words): Approval =>
  Object.freeze({
    ...(words.prompt !== undefined && { prompt: words.prompt }),
    approve: (proposal: Proposal) => askApproval(words, proposal),
    approveForProvider,
    interruptions,
  })

async function askApproval(words: Words, proposal: Proposal): Promise<Approved> {
  const { run, call, activity, spec, input } = proposal
  // The input as it will run: with the defaults of the schema.
  const shown = shownInput(spec.name, input)
  const promptOf = async (own = `Allow ${spec.name}?`): Promise<string> =>
    (await run.agent.live?.promptFor(run, spec, own)) ?? own
  const prompt = await promptOf(words.prompt)
  const { description, effect } = spec
  const question = approvalOf({ ...call, input: shown }, await spec.schema.json, {
    prompt,
    ...askerOf(run),
    ...(effect === 'readOnly' && { readOnly: true }),
    ...(typeof description === 'string' && { description }),
    ...words.remembering,
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
    const again = sameJson(edited, shown) ? prompt : await promptOf(promptBy(await proposal.approvalOf(applied.value)))
    if (isRequest) return { ok: false, code: 'approval_changed', message: again }
    const isRead = checkPrompt(reply, again)
    return isRead.ok ? { ok: true, value: { ...decision, input: edited, value: applied.value, prompt: again } } : isRead
  }
  const { input: edited, value, prompt: read } = await askPermission(call, activity, { ...question, check })
  const isStill = (): boolean => isStillApproved(run, call)
  if (edited === undefined) return { input, seen: shown, isStill }
  return { input: value, seen: edited, edited, isStill, ...(read !== undefined && read !== prompt && { prompt: read }) }
}

const promptBy = (decision: Decision): string | undefined => (decision ? decision.prompt : undefined)

/** Asks for approval of a call that the provider runs. Its result arrives in a later turn. */
async function approveForProvider({ run, call, activity }: Omit<Proposal, 'spec' | 'input'>): Promise<Outcome> {
  const question = approvalOf(call, {}, { remember: 'never', ...askerOf(run) })
  /** The provider has the input already. */
  const check = (reply: unknown): Checked | PromiseLike<Checked> => {
    const { input = call.input }: { readonly input?: Json } = Object(reply)
    return sameJson(input, call.input) ? question.check(reply) : { ok: false, message: ofProvider }
  }
  await askPermission(call, activity, { ...question, check })
  return { result: { type: 'json', value: { approved: true } } }
}

const ofProvider = 'The provider runs this call, so its input cannot be changed here.'

/** Returns false if the call's permission was removed before the call began. */
function isStillApproved(run: RunContext, { key }: Call): boolean {
  const call = openCall(run.state, key)
  return call?.status !== 'proposed' && call?.status !== 'approving'
}

/** The result of `check` for an approving reply. `value` is the input to run with, if the user changed it. */
interface ApprovedReply {
  readonly input?: Json
  readonly value?: unknown
  /** The prompt of that input. */
  readonly prompt?: string
}

async function askPermission(
  call: Call,
  activity: Activity,
  asking: TypedQuestion<ApprovalReply>,
): Promise<ApprovedReply> {
  const reply = await activity.ask(approvalKey(call), asking)
  if (!reply.approved) throw new AgentError('tool_refused', reply.reason ?? '')
  return reply
}

/** Returns the agent that asks, if the run was handed to one. */
const askerOf = ({ handedTo }: RunContext): Pick<Details, 'agent'> =>
  handedTo === undefined ? {} : { agent: handedTo }

type Details = Partial<Pick<ApprovalAsk, 'prompt' | 'agent' | 'readOnly' | 'description' | 'remember' | 'rememberBy'>>

const approvalOf = ({ name: tool, input }: Call, schema: JsonSchema, details: Details): TypedQuestion<ApprovalReply> =>
  asking({ kind: 'approval', prompt: `Allow ${tool}?`, tool, input, schema, ...details }, approvalEngine)
