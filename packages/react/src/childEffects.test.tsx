import { type Agent, agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { act, render, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { expect, it } from 'vitest'
import { ReActProvider } from './ReActProvider.tsx'
import { useReAct } from './useReAct.ts'
import { useRuns } from './useRuns.ts'

// The effects of a child come before those of its parent.

const talker = (name = 'talker'): Agent<string> => agent({ name, model: scriptedModel(...Array(9).fill('Hi')) })

function Saying({ say, words }: { readonly say: (words: string) => unknown; readonly words: string }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words are said, and the function never changes.
  useEffect(() => void say(words), [words])
  return null
}

async function twoRuns() {
  const journal = memoryJournal()
  for (const id of ['a', 'b']) await talker().start(`Begun ${id}`, { journal, id }).settled
  const saidIn = async (id: string) =>
    (await journal.read(id)).flatMap((event) => (event.type === 'said' ? [event.content] : []))
  return { journal, saidIn }
}

it('has what a child says go to the run that is named, also before that is found', async () => {
  const { journal, saidIn } = await twoRuns()
  const guide = talker()
  const Chat = ({ runId }: { readonly runId: string }) => {
    const { say } = useReAct(guide, { runId, journal })
    return <Saying say={say} words={`To ${runId}`} />
  }

  const { rerender } = render(<Chat runId="a" />)
  await waitFor(async () => expect(await saidIn('a')).toEqual(['Begun a', 'To a']))
  rerender(<Chat runId="b" />)

  await waitFor(async () => expect(await saidIn('b')).toEqual(['Begun b', 'To b']))
  expect([await saidIn('a'), (await journal.list()).length]).toEqual([['Begun a', 'To a'], 2])
})

it('has a child start runs with the agent and the journal of the same render', async () => {
  const journal = memoryJournal()
  const Trips = ({ guide }: { readonly guide: Agent<string> }) => {
    const { start } = useRuns(guide)
    return <Saying say={start} words={`By ${guide.name}`} />
  }
  const page = (name: string) => (
    <ReActProvider journal={journal}>
      <Trips guide={talker(name)} />
    </ReActProvider>
  )

  const { rerender } = render(page('one'))
  await act(async () => rerender(page('two')))

  await waitFor(async () =>
    expect((await journal.list()).map((run) => `${run.title} ${run.agent}`).sort()).toEqual([
      'By one one',
      'By two two',
    ]),
  )
})
