import { cleanup, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, expect, it } from 'vitest'
import { later } from './later.tsx'

afterEach(cleanup)

it('shows a part when it is fetched', async () => {
  const Part = later(async () => ({ words }: { words: string }) => <p>{words}</p>)
  render(
    <Suspense>
      <Part words="Here" />
    </Suspense>,
  )

  expect((await screen.findByText('Here')).tagName).toBe('P')
})

it('leaves the rest of the page alone where a part cannot be fetched, and says so instead', async () => {
  const Part = later<object>(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
  render(
    <main>
      <h1>Page</h1>
      <Suspense>
        <Part />
      </Suspense>
    </main>,
  )

  expect((await screen.findByRole('alert')).textContent).toContain('could not be fetched')
  expect(screen.getByRole('heading', { name: 'Page' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Load the page again' })).toBeTruthy()
})
