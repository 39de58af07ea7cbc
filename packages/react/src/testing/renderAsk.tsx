import type { Json, Run, TypedQuestion } from '@interleave/core'
import { scratchpad } from '@interleave/core/observe'
import { render, waitFor } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import axe from 'axe-core'
import { type ReactNode, StrictMode } from 'react'
import { expect } from 'vitest'
import { SignalOutlet } from '../outlet/SignalOutlet.tsx'
import { askingAgent } from './testSupport.tsx'

interface RenderedAsk {
  readonly run: Run
  readonly user: UserEvent
  /** The answers that the tools received, once the run has finished. */
  readonly answers: () => Promise<readonly Json[]>
}

/** Renders a run that asks these questions, in an outlet under StrictMode. */
export async function renderAsk(...questions: readonly TypedQuestion<unknown>[]): Promise<RenderedAsk> {
  const run = askingAgent(...questions).start('Go')
  const user = await renderRun(run)
  const answers = async (): Promise<readonly Json[]> => {
    await waitFor(() => expect(run.state.signal?.type).toBe('answer'))
    return scratchpad(run.state).flatMap((entry) => (entry.type === 'observation' ? [entry.output] : []))
  }
  return { run, user, answers }
}

/** Renders the questions of a run in an outlet under StrictMode once it has settled, below other components of a page. */
export async function renderRun(run: Run, page?: ReactNode): Promise<UserEvent> {
  await run.settled
  render(
    <>
      {page}
      <SignalOutlet run={run} />
    </>,
    { wrapper: StrictMode },
  )
  return userEvent.setup()
}

/** Returns axe's findings. Colors and sizes need a real browser. */
export async function faults(): Promise<readonly string[]> {
  const { violations } = await axe.run(document.body, {
    rules: {
      'color-contrast': { enabled: false },
      region: { enabled: false },
      'page-has-heading-one': { enabled: false },
    },
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
