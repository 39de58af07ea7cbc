import type { PageFunctions } from '../tools/showSection.ts'
import { findSection } from './findSection.ts'

/** The page tools: functions that this page runs for runs on any host. */
export const pageFunctions: PageFunctions = {
  async showSection(input) {
    const found = await findSection(input)
    location.hash = found.link
    return found
  },
}
