import { expect, it } from 'vitest'
import { createLibrary } from '../docs/library.ts'
import { callOnce } from './callOnce.ts'
import { readSection } from './readSection.ts'
import { searchDocs } from './searchDocs.ts'

const section = {
  id: 'a.md#signals',
  title: 'Signals',
  body: `A signal says why a run rests. ${'And more. '.repeat(40)}`,
}
const library = async () => createLibrary([section])
const tools = { searchDocs: searchDocs(library), readSection: readSection(library) }

it('answers a search with quotes and links', async () => {
  const { output } = await callOnce({ tools, name: 'searchDocs', input: { query: 'signal' } })

  const [found] = output as { quote: string }[]
  expect(found).toMatchObject({ section: 'a.md#signals', link: '#/docs/a.md%23signals' })
  expect(found?.quote).toMatch(/^A signal says why.*And more\.$/)
  expect(found?.quote.length).toBeLessThan(300)
})

it('reads a section in full, and says so when there is none', async () => {
  const read = await callOnce({ tools, name: 'readSection', input: { section: 'a.md#signals' } })
  const missed = await callOnce({ tools, name: 'readSection', input: { section: 'b.md' } })

  expect(read.output).toMatchObject({ body: section.body })
  expect(missed.error?.message).toContain('no section "b.md"')
})
