import type { PageFunctions } from '../tools/showSection.ts'
import { findSection } from './findSection.ts'

/** What this page does for runs, wherever they work. */
export const pageFunctions: PageFunctions = {
  async showSection(input) {
    const found = await findSection(input)
    location.hash = found.link
    return found
  },
}
