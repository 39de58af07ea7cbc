import { WorkflowAgent } from '@ai-sdk/workflow'
import { getStepMetadata, getWritable } from 'workflow'
import * as z from 'zod'
import { pay, type Told } from '../../../../crash/programs/call.ts'
import { told } from '../../../../crash/programs/toldByEnv.ts'
import { worldModel } from '../worldModel.ts'

/** The key is the step's, as its guide to idempotency recommends. */
async function payStep({ amount }: { amount: number }): Promise<number> {
  'use step'
  return pay(told, amount, getStepMetadata().stepId)
}

/** The agent as its guide has it: a tool is a step. Returns what it has paid by its own record. */
export async function payer(given: Told): Promise<readonly number[]> {
  'use workflow'
  const agent = new WorkflowAgent({
    model: worldModel(given),
    tools: {
      pay: { description: 'Pays an amount.', inputSchema: z.object({ amount: z.number() }), execute: payStep },
    },
  })
  const { steps } = await agent.stream({ messages: [{ role: 'user', content: 'Pay.' }], writable: getWritable() })
  return steps.flatMap(({ toolCalls }) => toolCalls.map(({ input }) => (input as { amount: number }).amount))
}
