import { sectionLink } from './sectionLink.ts'

/** The section of the documentation that fits a query best, and a link that opens it in the page. */
export async function findSection({ query }: { readonly query: string }): Promise<{ title: string; link: string }> {
  const { ownLibrary } = await import('./ownLibrary.ts')
  // These words would match everywhere.
  const words = query.replace(/\b(?:pages?|sections?|documentation|docs)\b/gi, '')
  const [found] = ownLibrary().search(words, 1)
  if (!found) throw new Error(`Nothing in the documentation fits “${query}”. Use other words.`)
  return { title: found.title, link: sectionLink(found.id) }
}
