import path from 'node:path'
import { agent, choice, type Run, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { effectScope } from 'vue'
import { z } from 'zod'
import { moduleNamed, writeModules } from './modules.ts'

const folder = writeModules('vueAndSvelte')
const load = (name: string) => import(path.join(folder, moduleNamed(name).path))

const book = tool({
  inputSchema: z.object({}),
  execute: (_, { ask }) => ask(choice({ prompt: 'When?', options: ['18:00', '20:30'] })),
})
const start = (): Run => {
  const model = scriptedModel({ calls: [{ name: 'book', input: {} }] }, 'Booked.')
  return agent({ name: 'waiter', model, tools: { book } }).start('A table, please.')
}

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (show: () => void) => setTimeout(show))
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
})
afterEach(() => void vi.unstubAllGlobals())

interface Shown {
  readonly state: Run['state']
  readonly messages: readonly { readonly type: string; readonly text?: string }[]
}

/** Answers the question of a run that is shown, and waits until its answer is shown too. */
async function isAnswered(run: Run, shown: () => Shown): Promise<void> {
  await expect.poll(() => shown().state.asks.map(({ prompt }) => prompt)).toEqual(['When?'])
  await run.reply(shown().state.asks[0]?.id ?? '', '20:30')
  await expect.poll(() => shown().messages.at(-1)).toMatchObject({ type: 'text', text: 'Booked.' })
}

it('shows a run in Vue, until its component is gone', async () => {
  const { useRun } = await load('docs/vue-and-svelte.md 1')
  const scope = effectScope()
  const run = start()
  const { state, messages } = scope.run(() => useRun(run))

  await isAnswered(run, () => ({ state: state.value, messages: messages.value }))
  scope.stop()
  await run.say('Thanks.')

  expect(state.value.seq).toBeLessThan(run.state.seq)
})

it('shows a run in Svelte, until no component subscribes', async () => {
  const { runStore } = await load('docs/vue-and-svelte.md 2')
  const run = start()
  let last: Shown | undefined
  const unsubscribe = runStore(run).subscribe((shown: Shown) => {
    last = shown
  })
  const shown = (): Shown => last ?? expect.unreachable()

  await isAnswered(run, shown)
  unsubscribe()
  await run.say('Thanks.')

  expect(shown().state.seq).toBeLessThan(run.state.seq)
})
