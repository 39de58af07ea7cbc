import { agent } from '@interleave/core'
import { Transcript } from '@interleave/react'
import { scriptedModel } from '@interleave/testing'
import { cleanup, render, screen } from '@testing-library/react'
import Markdown from 'react-markdown'
import { afterEach, expect, it } from 'vitest'

afterEach(cleanup)

it('renders the texts of a transcript with react-markdown as it is', async () => {
  const run = agent({ name: 'guide', model: scriptedModel('The **river**.') }).start('Where?')
  await run.settled

  render(<Transcript run={run} components={{ text: Markdown }} />)

  expect(screen.getByText('river').tagName).toBe('STRONG')
})
