import { clientTool } from '@interleave/connect/worker'
import { agent } from '@interleave/core'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import * as z from 'zod'

export const mark = clientTool({ inputSchema: z.object({}), effect: 'idempotent' })

const turn: ScriptedTurn = ({ prompt }) => {
  if (prompt.length === 1) return { calls: [{ name: 'mark', input: {} }] }
  return prompt.at(-1)?.role === 'tool' ? `Marked: ${JSON.stringify(prompt.at(-1)?.content)}` : 'More.'
}

/** Has a page mark something with the first message. */
export const leaving = agent({ name: 'leaving', model: scriptedModel(turn, turn, turn), tools: { mark } })
