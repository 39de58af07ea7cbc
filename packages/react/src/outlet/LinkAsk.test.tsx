import { confirm, declinable, link, text } from '@interleave/core'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { faults, renderAsk } from '../testing/renderAsk.tsx'

afterEach(cleanup)

const pay = link({ prompt: 'Pay there', url: 'https://pay.example/order?id=1' })

it('shows the whole address with its host marked, opens it on click alone, and replies when it is done', async () => {
  const { user, answers } = await renderAsk(pay)
  const open = screen.getByRole<HTMLAnchorElement>('link', { name: 'Open pay.example' })
  const address = document.querySelector('[data-interleave="link"]')

  expect(address?.textContent).toBe('https://pay.example/order?id=1')
  expect(address?.querySelector('strong')?.textContent).toBe('pay.example')
  expect(open).toMatchObject({ href: 'https://pay.example/order?id=1', target: '_blank', rel: 'noopener noreferrer' })
  expect(await faults()).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Done' }))

  expect(await answers()).toEqual(['done'])
})

it('shows an address that is no web address without a way to open it', async () => {
  await renderAsk({ ...pay, question: { kind: 'link', prompt: 'Pay', url: 'javascript:alert(1)' } })

  expect(screen.queryByRole('link')).toBe(null)
  expect(screen.getAllByRole('alert').some(({ textContent }) => textContent?.includes('javascript:alert(1)'))).toBe(
    true,
  )
})

it('warns of a name with letters that look like others', async () => {
  await renderAsk(link({ prompt: 'Pay', url: 'https://p\u0430ypal.com/' }))

  expect(screen.getByText(/may look like others/)).toBeTruthy()
})

it('declines a question of any kind with one button', async () => {
  const name = 'Decline'
  const $reply = 'declined'
  const { user, answers } = await renderAsk(
    declinable(confirm({ prompt: 'Sure?' })),
    declinable(text({ prompt: 'Why?', minLength: 2 })),
  )

  await user.click(screen.getByRole('button', { name }))
  await screen.findByText('Why?')
  await user.click(screen.getByRole('button', { name }))

  expect(await answers()).toEqual([{ $reply }, { $reply }])
})

it('has the primary answer at the end, and the focus on neither', async () => {
  await renderAsk(declinable(confirm({ prompt: 'Sure?' })))

  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Sure?' }))
  expect([...document.querySelectorAll('[data-interleave="actions"] button')].map((one) => one.textContent)).toEqual([
    'Decline',
    'No',
    'Yes',
  ])
})

it('has no such buttons for a question that has to be answered', async () => {
  await renderAsk(confirm({ prompt: 'Sure?' }))

  expect(screen.queryByRole('button', { name: 'Decline' })).toBe(null)
})

it('names the service that asks', async () => {
  await renderAsk({
    ...pay,
    question: { kind: 'link', prompt: 'Pay', url: 'https://a.example', asker: 'mcp.example.com' },
  })

  expect(screen.getByRole('dialog', { description: /^Asked by mcp.example.com ?, for asker$/ })).toBeTruthy()
})
