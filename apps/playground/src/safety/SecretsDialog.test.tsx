import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { fileFor } from './findSecrets.ts'
import { SecretsDialog } from './SecretsDialog.tsx'

afterEach(cleanup)

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const file = JSON.stringify({ events: [{ seq: 0, type: 'said', content: `Use ${secret}, please` }] })

it('says what is secret without telling it, and leaves it out unless the user wants it', async () => {
  const onDone = vi.fn()
  render(<SecretsDialog file={file} onDone={onDone} />)

  expect(screen.getByRole('dialog').textContent).toContain('GitHub tokenghp_…1')
  expect(document.body.innerHTML).not.toContain(secret)
  await userEvent.click(screen.getByRole('button', { name: 'Save the file' }))

  expect(onDone.mock.calls).toEqual([['withoutSecrets']])
  expect(fileFor(file, 'withoutSecrets')).toContain('Use [redacted: GitHub token 1], please')
})

it('gives no file when it is put away, and all there is when that is wanted', async () => {
  const onDone = vi.fn()
  const { unmount } = render(<SecretsDialog file={file} onDone={onDone} />)
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  unmount()
  render(<SecretsDialog file={file} onDone={onDone} />)
  await userEvent.click(screen.getByRole('radio', { name: /^Keep everything/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Save the file' }))

  expect(onDone.mock.calls).toEqual([[undefined], ['everything']])
  expect([fileFor(file, 'everything'), fileFor(file, 'withoutPrompts').includes('please')]).toEqual([file, false])
})
