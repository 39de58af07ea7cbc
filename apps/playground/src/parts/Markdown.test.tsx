import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Markdown } from './Markdown.tsx'

afterEach(cleanup)

it('loads no image, whatever the model writes', () => {
  const { container } = render(
    <Markdown>
      {
        '![secret](https://elsewhere.example/?q=1) ![x][r] <img src="https://elsewhere.example/2">\n\n[r]: https://elsewhere.example/3'
      }
    </Markdown>,
  )

  expect(container.querySelector('img')).toBeNull()
  expect(screen.getByText('Image not loaded: secret')).toBeTruthy()
})

it('lets no HTML and no script through', () => {
  const { container } = render(
    <Markdown>{'<script>alert(1)</script>\n\nA <b>x</b> [y](javascript:alert(1))'}</Markdown>,
  )

  expect(container.querySelector('script, b')).toBeNull()
  expect(screen.getByText('y').getAttribute('href')).toBe('')
})

it('does not tell other sites where a link came from', () => {
  render(<Markdown>{'[out](https://elsewhere.example) [in](#/docs/a)'}</Markdown>)

  expect(screen.getByText('out').getAttribute('rel')).toBe('noopener noreferrer nofollow')
  expect(screen.getByText('in').getAttribute('target')).toBeNull()
})
