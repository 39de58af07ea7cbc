import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { createPlayground } from '../run/createPlayground.ts'
import { PlaygroundContext } from '../run/usePlayground.ts'
import { notOpened } from './notOpened.tsx'

afterEach(cleanup)

it('closes a dialog that cannot be shown whenever it is asked for, says why, and leaves others alone', () => {
  const playground = createPlayground()
  const { store, openDialog, dismissNotice } = playground
  const NotOpened = notOpened(({ dialog }) => dialog === 'models')
  render(
    <PlaygroundContext value={playground}>
      <NotOpened />
    </PlaygroundContext>,
  )
  const afterOpening = (dialog: 'models' | 'shortcuts') => {
    act(() => dismissNotice('not fetched'))
    act(() => openDialog(dialog))
    return [store.getState().dialog, store.getState().notices.map(({ action }) => action?.label)]
  }

  const told = [undefined, ['Load the page again']]
  expect((['models', 'shortcuts', 'models'] as const).map(afterOpening)).toEqual([told, ['shortcuts', []], told])
})
