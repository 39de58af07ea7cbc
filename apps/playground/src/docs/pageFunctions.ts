import type { PageFunctions } from '../tools/showSection.ts'
import { sectionLink } from './sectionLink.ts'

/** What this page does for runs, wherever they work. */
export const pageFunctions: PageFunctions = {
  async showSection({ query }) {
    const { ownLibrary } = await import('./ownLibrary.ts')
    // What is shown is a page in any case.
    const words = query.replace(/\b(?:pages?|sections?|documentation|docs)\b/gi, '')
    const [found] = ownLibrary().search(words, 1)
    if (!found) throw new Error(`Nothing in the documentation fits “${query}”. Use other words.`)
    const link = sectionLink(found.id)
    location.hash = link
    return { title: found.title, link }
  },
}
