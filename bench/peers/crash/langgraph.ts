import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import * as z from 'zod'
import { call, pay } from '../../crash/programs/call.ts'
import { told } from '../../crash/programs/toldByEnv.ts'

/** Asks the world for its turns. */
class WorldModel extends BaseChatModel {
  constructor() {
    super({})
  }
  _llmType(): string {
    return 'world'
  }
  override bindTools(): this {
    return this
  }
  async _generate(messages: BaseMessage[]) {
    const results = messages.filter((message) => message.getType() === 'tool').length
    const turn = await call<{ amount?: number; text?: string }>(told, '/model', { results })
    const id = crypto.randomUUID()
    const calls = turn.text === undefined ? [{ id, name: 'pay', args: turn, type: 'tool_call' as const }] : []
    const message = new AIMessage({ content: turn.text ?? '', tool_calls: calls })
    return { generations: [{ text: turn.text ?? '', message }] }
  }
}

// The key is the thread's and the call's, as its guide to idempotent side effects recommends.
const paying = tool(async ({ amount }, config) => `${await pay(told, amount, `${told.run} ${config.toolCall?.id}`)}`, {
  name: 'pay',
  description: 'Pays an amount.',
  schema: z.object({ amount: z.number() }),
})
const postgres = told.store.startsWith('postgres') ? PostgresSaver.fromConnString(told.store) : undefined
await postgres?.setup()
const checkpointer = postgres ?? SqliteSaver.fromConnString(told.store)
const agent = createReactAgent({ llm: new WorldModel(), tools: [paying], checkpointer })
// `sync` writes each checkpoint before the next step begins: the most durable of its three modes.
const config = { configurable: { thread_id: told.run }, durability: 'sync' as const }
const begun = await checkpointer.getTuple(config)
const { messages } = await agent.invoke(begun ? null : { messages: [new HumanMessage('Pay.')] }, config)
const amounts = (messages as BaseMessage[]).flatMap((message) =>
  ((message as AIMessage).tool_calls ?? []).map(({ args }) => args.amount as number),
)
await call(told, '/done', { amounts })
await postgres?.end()
