import { expect, it } from 'vitest'
import { markdownSections, sourceSections } from './sections.ts'

it('cuts a document at its headings, and leaves code alone', () => {
  const markdown = '# Guide\n\nHello.\n\n## Set up `it`\n\n```sh\n# no heading\n```\n\n## Empty\n'

  expect(markdownSections('docs/guide.md', markdown)).toEqual([
    { id: 'docs/guide.md#guide', title: 'Guide', body: 'Hello.' },
    { id: 'docs/guide.md#set-up-it', title: 'Set up `it`', body: '```sh\n# no heading\n```' },
  ])
})

it('finds the docstrings of what a source exports', () => {
  const source = `/** Not exported. */
const a = 1
/**
 * Adds.
 * Twice.
 *
 * @example add()
 */
export function add() {}
export const plain = 1
`

  expect(sourceSections('add.ts', source)).toEqual([{ id: 'add.ts#add', title: 'add', body: 'Adds.\nTwice.' }])
})
