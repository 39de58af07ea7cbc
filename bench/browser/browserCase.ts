import type { Page } from 'playwright-core'
import type { Sample } from '../sample.ts'

/** Something that is measured in a page of its own, for one subject at a time. */
export interface BrowserCase {
  readonly name: string
  readonly title: string
  /** Only these; all of them, where it names none. */
  readonly subjects?: readonly string[]
  /** Returns the module that the page of a subject loads. */
  moduleOf(subject: string): string
  /** In a page that has run nothing else, of a profile without any data. A rough look, where it is to be `quick`. */
  measure(page: Page, quick: boolean): Promise<readonly Sample[]>
}
