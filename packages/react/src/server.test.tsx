import { choice } from '@interleave/core'
import { Devtools, StateTree } from '@interleave/devtools'
import { renderToString } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { askingAgent, EveryHook } from './testing/testSupport.tsx'

// @vitest-environment node

it('renders every hook where there is no document, each time as the run is then', async () => {
  const logged = vi.spyOn(console, 'error')
  const agent = askingAgent(choice({ prompt: 'Which?', options: ['a', 'b'] }))
  const run = agent.start('Go')
  const draw = (): string => renderToString(<EveryHook agent={agent} run={run} />)

  const atWork = draw()
  await run.settled
  const waiting = draw()
  await run.reply('1/tool/0/ask/0', 'a')
  await run.settled

  expect(typeof document).toBe('undefined')
  expect(atWork).toContain('working')
  expect(waiting).toContain('waiting')
  expect(draw()).toContain('Done.')
  expect(logged).not.toHaveBeenCalled()
})

it('renders the devtools where there is no document', async () => {
  const logged = vi.spyOn(console, 'error')
  const run = askingAgent().start('Go')
  await run.settled

  expect(renderToString(<Devtools run={run} />)).toContain('No events yet')
  expect(renderToString(<StateTree run={run} />)).toContain(run.id)
  expect(logged).not.toHaveBeenCalled()
})
