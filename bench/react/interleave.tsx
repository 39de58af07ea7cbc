import { agent } from '@interleave/core'
import { useReAct, useStatus } from '@interleave/react'
import { useLayoutEffect } from 'react'
import { Paragraphs } from './Paragraphs.tsx'
import type { ShowingSubject } from './shown.ts'

/** Ours. */
export const interleave: ShowingSubject = {
  start(model) {
    const talker = agent({ name: 'talker', model })
    const run = talker.start('Go')
    return {
      Text({ onCommit }) {
        const { answer, draft } = useReAct(talker, { run })
        useLayoutEffect(onCommit)
        return <Paragraphs text={answer ?? draft?.text ?? ''} />
      },
      Neighbors({ onCommit }) {
        const { status } = useStatus(run)
        useLayoutEffect(onCommit)
        return <i>{status}</i>
      },
      finished: run.settled.then((signal) => (signal.type === 'answer' ? signal.output : signal.type)),
    }
  },
}
