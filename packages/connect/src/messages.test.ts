import { agent } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isHostMessage, isPageMessage } from './messages.ts'
import { protocol } from './worker/hello.ts'
import { workerHost } from './worker/index.ts'

/** A page of which the test says every word. */
function speaker() {
  const { port1, port2 } = new MessageChannel()
  const own = new MessageChannel()
  const received: unknown[] = []
  own.port1.onmessage = ({ data }) => received.push(data)
  workerHost([agent({ name: 'a', model: scriptedModel('Done.') })]).connect(port2)
  port1.postMessage({ type: 'interleave', protocol, agent: 'a', tools: [], models: [], begun: [] }, [own.port2])
  const close = () => {
    for (const port of [port1, own.port1]) port.close()
  }
  return { received: received, say: (message: unknown) => own.port1.postMessage(message), close }
}

it('ignores invalid messages, and continues', async () => {
  const { received, say, close } = speaker()
  const wild = JSON.parse('{"type":"start","id":"2","run":"r","input":"Go","__proto__":{"x":1}}')
  for (const message of [null, 1, 'x', [], {}, { type: 'start' }, { type: 'command', id: '1', run: 'r' }, wild])
    say(message)
  say({ type: 'command', id: '3', run: 'r', command: { type: 'stop', reason: 'x' } })

  await expect.poll(() => received.length).toBe(2)

  expect(received).toMatchObject([{ type: 'welcome' }, { type: 'undone', id: '3', failure: { code: 'run_unknown' } }])
  close()
})

it('takes no value for a message that is none', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect([isPageMessage(value), isHostMessage(value)]).toEqual([false, false])
    }),
  )
})
