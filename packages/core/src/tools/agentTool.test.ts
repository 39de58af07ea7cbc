import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, agent, agentTool, type Run, type RunState, reasonAct, text, tool } from '../index.ts'
import { type Journal, memoryJournal } from '../journal/index.ts'
import { expectTrace, manualHost, type ScriptedTurn, scriptedModel } from '../testing/index.ts'
import { laws } from '../testing/laws.ts'

const inputSchema = z.object({})
const calling = (name: string, ...inputs: object[]) => ({ calls: inputs.map((input) => ({ name, input })) })
const task = { task: 'Find it' }

/** An editor that has a researcher, who asks before it looks. */
function newsroom(turns: { editor?: ScriptedTurn[]; researcher?: ScriptedTurn[] } = {}): Agent<string> {
  const { editor = [calling('research', task), 'Written.'], researcher = [calling('look', {}), 'Found.'] } = turns
  const look = tool({
    inputSchema,
    approve: 'always',
    execute: async (_, { ask }) => `saw ${await ask(text({ prompt: 'Where?' }))}`,
  })
  const below = agent({ name: 'researcher', model: scriptedModel(...researcher), tools: { look } })
  const research = agentTool(below, { description: 'Finds facts.' })
  return agent({ name: 'editor', model: scriptedModel(...editor), tools: { research } })
}

async function replyAll(run: Run, values: Readonly<Record<string, unknown>>): Promise<void> {
  for (let signal = await run.settled; signal.type === 'inputNeeded'; signal = await run.settled) {
    for (const ask of signal.asks) await run.reply(ask.id, values[ask.kind])
  }
}

const answers = { approval: { approved: true }, text: 'here' }

it('lets an agent work for another, and asks its questions at the top', async () => {
  const journal = memoryJournal()
  const run = newsroom().start('Write', { id: 'r', journal, host: manualHost(), observers: [laws()] })

  await replyAll(run, answers)

  const usage = '"cachedInputTokens":0,"cacheWriteTokens":0'
  expectTrace(
    await journal.read('r'),
    `
    0 started editor
    0 said user "Write"
    1 thought "" research({"task":"Find it"})
    1 called 1/tool/0
    1 noted 1/tool/0>usage {"inputTokens":10,${usage},"outputTokens":5,"reasoningTokens":0,"cost":0,"unpricedTurns":1}
    1 asked 1/tool/0>1/tool/0/approval approval "Allow look?"
    1 rested inputNeeded 1/tool/0>1/tool/0/approval
    1 replied 1/tool/0>1/tool/0/approval {"approved":true}
    1 asked 1/tool/0>1/tool/0/ask/0 text "Where?"
    1 rested inputNeeded 1/tool/0>1/tool/0/ask/0
    1 replied 1/tool/0>1/tool/0/ask/0 "here"
    1 noted 1/tool/0>usage {"inputTokens":20,${usage},"outputTokens":10,"reasoningTokens":0,"cost":0,"unpricedTurns":2}
    1 observed 1/tool/0 text "Found."
    2 thought "Written."
    2 rested answer "Written."
    `,
  )
  expectTrace(
    await journal.read('r/1/tool/0'),
    `
    0 started researcher
    0 said user "Find it"
    1 thought "" look({})
    1 asked 1/tool/0/approval approval "Allow look?"
    1 rested inputNeeded 1/tool/0/approval
    1 replied 1/tool/0/approval {"approved":true}
    1 called 1/tool/0
    1 asked 1/tool/0/ask/0 text "Where?"
    1 rested inputNeeded 1/tool/0/ask/0
    1 replied 1/tool/0/ask/0 "here"
    1 observed 1/tool/0 text "saw here"
    2 thought "Found."
    2 rested answer "Found."
    `,
  )
  expect(run.state.usage).toMatchObject({ inputTokens: 40, outputTokens: 20, unpricedTurns: 4 })
})
