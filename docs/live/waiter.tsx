import { agent, choice, tool } from '@interleave/core'
import { SignalOutlet, useMessages, useReAct } from '@interleave/react'
import { scriptedModel } from '@interleave/testing'
import * as z from 'zod'
import '@interleave/react/styles.css'

const bookTable = tool({
  description: 'Books a table in a restaurant.',
  inputSchema: z.object({ people: z.number() }),
  execute: async ({ people }, { ask }) => {
    const time = await ask(choice({ prompt: 'When?', options: ['18:00', '20:30'] }))
    return `Booked for ${people} at ${time}.` // time is '18:00' | '20:30'
  },
})

// A demo model: it follows a rule, and needs no key.
const model = scriptedModel(({ prompt }) => {
  const booked = /Booked[^"]*/.exec(JSON.stringify(prompt.at(-1)))?.[0]
  return booked
    ? `${booked} (I am a demo model.)`
    : { calls: [{ name: 'bookTable', input: { people: 4 } }] }
})

const waiter = agent({ name: 'waiter', model, tools: { bookTable } })

export function App() {
  const { run, say, stop, isWorking } = useReAct(waiter)
  const messages = useMessages(run)
  return (
    <>
      {messages.map(
        (message) => 'text' in message && <p key={message.key}>{message.text}</p>,
      )}
      {isWorking ? (
        <button type="button" onClick={() => stop()}>
          Stop
        </button>
      ) : (
        <button type="button" onClick={() => say('A table for four, please.')}>
          Book a table
        </button>
      )}
      <SignalOutlet run={run} />
    </>
  )
}
