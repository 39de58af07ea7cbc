import { agent, approval, tool } from '@interleave/core'
import { SignalOutlet, useMessages, useReAct } from '@interleave/react'
import { scriptedModel } from '@interleave/testing'
import * as z from 'zod'
import '@interleave/react/styles.css'

const pay = tool({
  description: 'Pays an invoice.',
  inputSchema: z.object({ invoice: z.string(), euros: z.number().positive() }),
  approve: ({ euros }) => euros > 100 && approval('This is a lot. Pay it?'),
  execute: ({ invoice, euros }) => `Paid €${euros} for invoice ${invoice}.`,
})

const model = scriptedModel(({ prompt }) => {
  const last = prompt.at(-1)
  if (last?.role === 'user')
    return { calls: [{ name: 'pay', input: { invoice: '2026-118', euros: 950 } }] }
  const [paid] = /Paid [^"]*/.exec(JSON.stringify(last)) ?? []
  return paid ?? 'I did not pay it.'
})

const clerk = agent({ name: 'clerk', model, tools: { pay } })

export function App() {
  const { run, say, isWorking } = useReAct(clerk)
  const messages = useMessages(run)
  return (
    <>
      {messages.map(
        (message) => 'text' in message && <p key={message.key}>{message.text}</p>,
      )}
      <button
        type="button"
        disabled={isWorking}
        onClick={() => say('Pay invoice 2026-118.')}
      >
        Pay the invoice
      </button>
      <SignalOutlet run={run} />
    </>
  )
}
