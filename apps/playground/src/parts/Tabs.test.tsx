import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, expect, it } from 'vitest'
import { Tabs } from './Tabs.tsx'

afterEach(cleanup)

const tabs = [
  { id: 'a', title: 'Apples', content: <p>Red</p> },
  { id: 'b', title: 'Pears', content: <p>Green</p> },
]

it('walks through the tabs with arrow keys, round and round', async () => {
  render(<Tabs label="Fruit" tabs={tabs} />)

  await userEvent.tab()
  await userEvent.keyboard('{ArrowRight}')

  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Pears' }))
  expect(screen.getByRole('tabpanel', { name: 'Pears' }).textContent).toBe('Green')
  await userEvent.keyboard('{ArrowRight}')
  expect(screen.getByRole('tabpanel').textContent).toBe('Red')
})

it('has nothing that axe finds', async () => {
  const { container } = render(<Tabs label="Fruit" tabs={tabs} />)

  expect((await axe.run(container)).violations).toEqual([])
})
