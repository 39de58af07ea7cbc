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
  expect(screen.getByRole('link', { name: /^Image not loaded: secret elsewhere\.example/ })).toBeTruthy()
})

it('lets no HTML and no script through', () => {
  const { container } = render(
    <Markdown>{'<script>alert(1)</script>\n\nA <b>x</b> [y](javascript:alert(1))'}</Markdown>,
  )

  expect(container.querySelector('script, b')).toBeNull()
  expect(screen.queryByRole('link')).toBeNull()
})

it('says where a link leads, and does not tell that host where it came from', () => {
  render(
    <Markdown>
      {'[bank](https://evil.example/a) [in](#/docs/a) https://\u0430pple.com [mail](mailto:a@b.example)'}
    </Markdown>,
  )
  const link = (name: RegExp) => screen.getByRole('link', { name })

  expect(link(/^bank evil\.example/).getAttribute('rel')).toBe('noopener noreferrer nofollow')
  expect(link(/xn--pple-43d\.com/).getAttribute('target')).toBe('_blank')
  expect(link(/^mail a@b\.example/)).toBeTruthy()
  expect(link(/^in documentation$/).getAttribute('target')).toBeNull()
})

it.each([
  '#/tools/a/pay',
  '#/runs/1',
  '/',
  'page',
  'mailto:a@b.example?bcc=c@d.example',
  'https:a.example@evil.example',
  '//a.example',
])('makes no link of %s', (address) => {
  render(<Markdown>{`[words](${address})`}</Markdown>)

  expect(screen.getByText('words')).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
})

it('shows as plain text what is too deep to draw, and continues', () => {
  const { container } = render(<Markdown>{`One *word*.\n\n${'> '.repeat(3_000)}a`}</Markdown>)

  expect(container.querySelector('em')?.textContent).toBe('word')
  expect(container.querySelector('blockquote')).toBeNull()
  expect(screen.getByRole('region', { name: 'Plain text' }).textContent).toContain('> > >')
})

it('reads only what is new of a text that grows', () => {
  const text = (length: number) => `${'A *paragraph*.\n\n'.repeat(50)}${'x'.repeat(length)}`
  const { container, rerender } = render(<Markdown>{text(1)}</Markdown>)
  const before = [...container.querySelectorAll('p')]

  rerender(<Markdown>{text(2)}</Markdown>)

  expect([...container.querySelectorAll('p')].slice(0, 50)).toEqual(before.slice(0, 50))
  expect(container.querySelector('p:last-child')?.textContent).toBe('xx')
})

it('makes no table a landmark, since all of them have the same name', () => {
  const table = '| a |\n| - |\n| b |'
  render(<Markdown>{`${table}\n\ntext\n\n${table}`}</Markdown>)

  expect(screen.getAllByRole('group', { name: 'Table' })).toHaveLength(2)
  expect(screen.queryByRole('region')).toBeNull()
})
