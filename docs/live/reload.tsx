import { agent, choice, confirm, tool } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { SignalOutlet, useMessages, useReAct } from '@interleave/react'
import { scriptedModel } from '@interleave/testing'
import { useEffect, useState } from 'react'
import * as z from 'zod'
import '@interleave/react/styles.css'

const order = tool({
  description: 'Orders coffee.',
  effect: 'idempotent', // It may run again after a reload: only `once` does something.
  inputSchema: z.object({ cups: z.number() }),
  execute: async ({ cups }, { ask, once }) => {
    // Runs once, however often the page reloads.
    const number = await once('number', () => Math.floor(1000 + Math.random() * 9000))
    const size = await ask(
      choice({ prompt: `Order ${number}: which size?`, options: ['small', 'large'] }),
    )
    const isToGo = await ask(confirm({ prompt: `Order ${number}, ${size}: to go?` }))
    return `Order ${number}: ${cups} ${size} coffees${isToGo ? ' to go' : ''}.`
  },
})

const model = scriptedModel(({ prompt }) => {
  const [ordered] = /Order \d+: \d[^"]*/.exec(JSON.stringify(prompt.at(-1))) ?? []
  return ordered ?? { calls: [{ name: 'order', input: { cups: 2 } }] }
})

const barista = agent({ name: 'barista', model, tools: { order } })
const journal = indexedDbJournal()

export function App() {
  const [runId] = useState(() => sessionStorage.getItem('barista') ?? undefined)
  const { run, say, isWorking, isAttaching } = useReAct(barista, { runId, journal })
  const messages = useMessages(run)
  useEffect(() => {
    if (run) sessionStorage.setItem('barista', run.id)
  }, [run])
  return (
    <>
      {messages.map(
        (message) => 'text' in message && <p key={message.key}>{message.text}</p>,
      )}
      <button
        type="button"
        disabled={isWorking || isAttaching}
        onClick={() => say('Two coffees, please.')}
      >
        Order coffee
      </button>
      <SignalOutlet run={run} />
    </>
  )
}
