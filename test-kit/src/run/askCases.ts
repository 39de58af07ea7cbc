import { equal, refuses } from '@interleave/testing/internal'
import type { Replies } from '../../../packages/core/src/question.ts'
import { holds, keptOf, openAsk, type RunCases, settled } from './runCase.ts'

/** A good answer to each kind of question, a bad one, and what the tool is given. */
const answers: { readonly [Kind in keyof Omit<Replies, 'approval' | 'extension'>]: readonly unknown[] } = {
  choice: ['small', 'tiny', 'small'],
  choices: [['large'], [], ['large']],
  confirm: [false, 'no', false],
  text: ['yes', 'too long', 'yes'],
  link: ['done', 'gone', 'done'],
  form: [{ name: 'Ada', seats: '2' }, { seats: 2 }, { name: 'Ada', seats: 2 }],
}

const answered = Object.fromEntries(
  Object.entries(answers).map(([kind, [good, bad, given]]): [string, RunCases[string]] => [
    `takes an answer to a question of the kind ${kind}, and none that does not fit`,
    async ({ open }) => {
      const run = open('asker').start(kind)
      const { asks } = await settled(run, 'inputNeeded')
      equal(asks[0].kind, kind)
      await refuses(() => run.reply(asks[0].id, bad), 'reply_invalid')
      equal(run.state.asks, asks)
      await run.reply(asks[0].id, good)
      const { output } = await settled(run, 'answer')
      holds(JSON.stringify(output).includes(JSON.stringify(JSON.stringify(given)).slice(1, -1)), `${output} has it`)
      equal(run.state.asks, [])
    },
  ]),
)

/** Questions, approvals, and who answers them. */
export const askCases: RunCases = {
  ...answered,

  async 'takes one answer to a question, and the same one again for done'({ open }) {
    const run = open('asker').start('confirm')
    const { asks } = await settled(run, 'inputNeeded')
    await run.reply(asks[0], true)
    await settled(run, 'answer')
    await refuses(() => run.reply(asks[0].id, false), 'ask_unknown')
    equal((await keptOf(run)).filter(({ type }) => type === 'replied').length, 1)
  },

  async 'refuses an answer to a question that was not asked'({ open }) {
    const run = open('asker').start('confirm')
    await settled(run, 'inputNeeded')
    await refuses(() => run.reply('9/tool/9/ask/9', true), 'ask_unknown')
    equal(run.state.asks.length, 1)
  },

  async 'performs a call that is allowed'({ open }) {
    const run = open('cashier').start('Go')
    const { asks } = await settled(run, 'inputNeeded')
    holds(asks[0].kind === 'approval' && asks[0].tool === 'charge', 'it asks for leave')
    equal(asks[0].kind === 'approval' && asks[0].input, { cents: 500 })
    await run.reply(asks[0].id, { approved: true })
    equal(await outputOf(run), 'Got {"type":"text","value":"Charged 500."}')
  },

  async 'performs it with the input that a person gave, where that fits'({ open }) {
    const run = open('cashier').start('Go')
    await settled(run, 'inputNeeded')
    const id = openAsk(run)
    await refuses(() => run.reply(id, { approved: true, input: { cents: 5_000 } }), 'reply_invalid')
    await run.reply(id, { approved: true, input: { cents: 20 } })
    equal(await outputOf(run), 'Got {"type":"text","value":"Charged 20."}')
  },

  async 'asks no more about what a user always allows, until that is taken back'({ open }) {
    const run = open('cashier').start('Go')
    await settled(run, 'inputNeeded')
    await refuses(() => run.reply(openAsk(run), { approved: false, remember: 'tool' }), 'reply_invalid')
    await run.reply(openAsk(run), { approved: true, remember: 'input' })
    await settled(run, 'answer')
    await run.say('Again')
    equal((await settled(run, 'answer')).output, 'Got {"type":"text","value":"Charged 500."}')
    equal(
      (await keptOf(run)).flatMap(({ type }) => (type === 'asked' || type === 'permitted' ? [type] : [])),
      ['asked', 'permitted'],
    )
    const [allowed] = run.state.permissions ?? []
    equal([allowed?.scope, allowed?.input], ['input', { cents: 500 }])
    const other = await open('cashier').resume(run.id)
    await other.revoke(allowed?.id ?? '')
    await other.revoke(allowed?.id ?? '')
    equal(other.state.permissions, [])
    equal((await keptOf(other)).filter(({ type }) => type === 'revoked').length, 1)
    await other.say('Once more')
    await settled(other, 'inputNeeded')
  },

  async 'tells the model why a call is not allowed, and performs nothing'({ open }) {
    const run = open('cashier').start('Go')
    await settled(run, 'inputNeeded')
    await run.reply(openAsk(run), { approved: false, reason: 'Too dear.' })
    const output = String(await outputOf(run))
    holds(output.includes('Too dear.') && !output.includes('Charged'), output)
    equal((await keptOf(run)).filter(({ type }) => type === 'claimed').length, 0)
  },
}

const outputOf = async (run: Parameters<typeof settled>[0]): Promise<unknown> => (await settled(run, 'answer')).output
