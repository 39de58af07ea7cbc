import { type Asking, asking } from '../ask.ts'
import type { Call } from '../entry.ts'
import { AgentError } from '../error.ts'
import { type Json, toJson } from '../json.ts'
import type { Outcome } from '../outcome.ts'
import type { ApprovalReply } from '../question.ts'
import type { Activity, RunContext } from '../run.ts'
import type { Checked, JsonSchema } from '../schema.ts'
import type { ToolSpec } from '../tool.ts'
import { orStopped } from './orStopped.ts'

export interface Proposal {
  readonly run: RunContext
  readonly call: Call
  readonly activity: Activity
  readonly spec: ToolSpec
  /** The input as the schema gave it. */
  readonly input: unknown
}
export interface Approved {
  readonly input: unknown
  /** The input as JSON, where the person changed it. */
  readonly edited?: Json
}

/** Asks a person, where the tool's policy wants it. A refusal throws, and becomes what the model reads. */
export async function approve({ run, call, activity, spec, input }: Proposal): Promise<Approved> {
  const decided = decide({ run, call, spec, input })
  const needed = decided instanceof Promise ? await decided : decided
  if (!needed) return { input }
  // As it will run: with the defaults that the schema filled in.
  const question = approvalOf({ ...call, input: toJson(input) }, await spec.schema.json, {
    prompt: typeof needed === 'string' ? needed : undefined,
    isPure: spec.effect === 'pure',
  })
  /** The edited input has to fit the schema like the model's own, before anything is decided. */
  const check = async (reply: unknown) => {
    const plain = await question.check(reply)
    const edited = plain.ok ? (plain.value as { input?: Json }).input : undefined
    const fits = edited === undefined ? undefined : await spec.schema.check(edited)
    return fits && !fits.ok ? fits : plain
  }
  const edited = await permission(call, activity, { ...question, check })
  if (edited === undefined) return { input }
  return { input: await checkInput({ run, spec }, edited), edited: toJson(edited) }
}

/** Whether to ask, or the words to ask with. */
function decide({ run, call, spec, input }: Omit<Proposal, 'activity'>): unknown {
  const { approve: policy } = spec
  if (typeof policy === 'string') return policy === 'always'
  return orStopped(policy(input, run.state, call.id), run.abortSignal)
}

/** A call that the provider runs, and wants to be allowed first. What comes of it arrives in a later turn. */
export async function approveForProvider(call: Call, activity: Activity): Promise<Outcome> {
  await permission(call, activity, approvalOf(call, {}))
  return { result: { type: 'json', value: { approved: true } } }
}

/** The input that the person gave instead, if any. */
async function permission({ key }: Call, activity: Activity, asking: Asking<ApprovalReply>): Promise<Json | undefined> {
  const reply = await activity.ask(`${key}/approval`, asking)
  if (!reply.approved) throw new AgentError('tool_refused', reply.reason ?? '')
  return reply.input
}

interface ApprovalWords {
  readonly prompt?: string | undefined
  readonly isPure?: boolean
}

function approvalOf({ name: tool, input }: Call, schema: JsonSchema, words: ApprovalWords = {}): Asking<ApprovalReply> {
  const { prompt = `Allow ${tool}?`, isPure } = words
  return asking({ kind: 'approval', prompt, tool, input, schema, ...(isPure && { pure: true }) })
}

/** The input as the tool's schema gives it, or a complaint for the model. */
export function checkInput({ run, spec }: Pick<Proposal, 'run' | 'spec'>, input: unknown): unknown {
  const checking = spec.schema.check(input)
  const value = (checked: Checked): unknown => {
    if (checked.ok) return checked.value
    throw new AgentError('tool_input_invalid', `The input of ${spec.name} does not fit its schema: ${checked.message}`)
  }
  return 'then' in checking ? orStopped(checking, run.abortSignal).then(value) : value(checking)
}
