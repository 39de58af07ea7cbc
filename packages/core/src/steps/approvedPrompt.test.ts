import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import { messagesOf } from '../history/messagesOf.ts'
import { type ApprovalReply, agent, approval, type Json, type Run, reasonAct, tool } from '../index.ts'
import { fork, keyValuePermissionStore, memoryJournal } from '../journal/index.ts'
import { rememberPermissions } from './index.ts'

const sent: string[] = []
const mail = tool({
  inputSchema: z.object({ to: z.string() }),
  approve: ({ to }) => to !== 'me' && approval(`Send it to ${to}?`),
  execute: ({ to }) => {
    sent.push(to)
    return `Sent to ${to}`
  },
})
const model = () => scriptedModel({ calls: [{ name: 'mail', input: { to: 'ann' } }] }, 'Done.')
const writer = (asks = mail, backend = reasonAct()) =>
  agent({ name: 'writer', model: model(), tools: { mail: asks }, backend })

async function asking(by = writer()): Promise<Run> {
  const run = by.start('Write')
  await run.settled
  return run
}

const approve = (run: Run, reply: object): Promise<void> =>
  run.reply(run.state.asks[0]?.id ?? '', { approved: true, ...reply })
const preview = (run: Run, input: Json): Promise<void> => run.reply(run.state.asks[0]?.id ?? '', { preview: input })
const changed = { code: 'approval_changed', message: 'Send it to eve?' }
const question = (run: Run): object | undefined => messagesOf(run).find(({ type }) => type === 'question')
const prompts = (run: Run): readonly (string | undefined)[] =>
  run.log.flatMap((event) => (event.type === 'replied' || event.type === 'claimed' ? [event.prompt] : []))

it('records and shows the prompt of the input that the user approved', async () => {
  const run = await asking()

  await approve(run, { input: { to: 'eve' } })
  await run.settled

  expect(prompts(run)).toEqual(['Send it to eve?', 'Send it to eve?'])
  expect(question(run)).toMatchObject({ ask: { prompt: 'Send it to eve?' }, promptBefore: 'Send it to ann?' })
})

it('records no prompt where it is the same', async () => {
  const unchanged = await asking()
  await approve(unchanged, {})
  await unchanged.settled

  const plain = await asking(writer(tool({ ...mail, approve: approval() })))
  await approve(plain, { input: { to: 'eve' } })
  await plain.settled

  expect([...prompts(unchanged), ...prompts(plain)]).toEqual([undefined, undefined, undefined, undefined])
})

it('asks in plain words where the edited input would need no approval', async () => {
  const run = await asking()

  await approve(run, { input: { to: 'me' } })
  await run.settled

  expect(question(run)).toMatchObject({ ask: { prompt: 'Allow mail?' } })
})

it.each<[string, object, string]>([
  ['the old prompt of an edited input', { input: { to: 'eve' }, prompt: 'Send it to ann?' }, 'Send it to eve?'],
  ['another one than the question has', { prompt: '' }, 'Send it to ann?'],
])('rejects an approval that has read %s, and says which it is', async (_, reply, message) => {
  const run = await asking()
  const before = run.state.seq

  await expect(approve(run, reply)).rejects.toMatchObject({ code: 'approval_changed', message })
  expect(run.state.seq).toBe(before)

  await approve(run, { ...reply, prompt: message })
  expect(await run.settled).toMatchObject({ type: 'answer' })
})

it('takes no prompt from a refusal', async () => {
  const run = await asking()

  await run.reply('1/tool/0/approval', { approved: false, prompt: 'Send it to nobody?' } as ApprovalReply)

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(run.log.find(({ type }) => type === 'replied')).not.toHaveProperty('prompt')
})

it('rejects an edit that the policy cannot judge, and does not blame the user, who would read the words', async () => {
  const approve_ = ({ to }: { to: string }) => {
    if (to === 'eve') throw new Error('Nobody knows eve.')
    return approval('Send it?')
  }
  const run = await asking(writer(tool({ ...mail, approve: approve_ })))

  await expect(approve(run, { input: { to: 'eve' } })).rejects.toMatchObject({
    code: 'step_failed',
    message: 'Nobody knows eve.',
  })
  await approve(run, {})
  expect(await run.settled).toMatchObject({ type: 'answer' })
})

it('has the prompt for a child run too, and in the run that asks for it', async () => {
  const helper = agentTool(writer(), { description: 'Writes.' })
  const parent = scriptedModel({ calls: [{ name: 'helper', input: { task: 'Write' } }] }, 'Done.')
  const run = agent({ name: 'boss', model: parent, tools: { helper } }).start('Go')
  await run.settled

  await expect(preview(run, { to: 'eve' })).rejects.toMatchObject(changed)
  await approve(run, { input: { to: 'eve' } })
  await run.settled

  expect(question(run)).toMatchObject({ ask: { prompt: 'Send it to eve?' }, promptBefore: 'Send it to ann?' })
})

it('has the prompt in a fork with another input', async () => {
  const journal = memoryJournal()
  const run = writer().start('Write', { journal })
  await run.settled
  await approve(run, {})
  await run.settled
  const at = run.log.findIndex(({ type }) => type === 'replied')
  const value: Json = { approved: true, input: { to: 'eve' } }

  const other = await fork(writer(), run.id, { at, edit: { value }, journal })
  await other.settled

  expect(question(other)).toMatchObject({ ask: { prompt: 'Send it to eve?' } })
})

it('says the prompt of an edited input, and decides nothing', async () => {
  const run = await asking()
  const before = run.state.seq

  await expect(preview(run, { to: 'eve' })).rejects.toMatchObject(changed)
  await expect(preview(run, { to: 'ann' })).rejects.toMatchObject({ message: 'Send it to ann?' })
  await expect(preview(run, { to: 5 })).rejects.toMatchObject({ code: 'reply_invalid' })

  expect(run.state.seq).toBe(before)
})

it('says it with a store of permissions too, and records what was allowed for good', async () => {
  const store = keyValuePermissionStore(new Map(), { user: 'ann' })
  const run = await asking(writer(mail, rememberPermissions(reasonAct(), { store })))

  await expect(preview(run, { to: 'eve' })).rejects.toMatchObject(changed)
  await approve(run, { input: { to: 'eve' }, prompt: 'Send it to eve?', remember: 'input', persistent: true })
  await run.settled

  expect(prompts(run)).toEqual(['Send it to eve?', 'Send it to eve?'])
})
