import { messageOf } from '@interleave/core/internal'

/** The words of Chromium, Firefox, WebKit and Vite for a part of the page that did not come. */
export const isNotFetched = (message: string): boolean =>
  /dynamically imported module|importing a module script failed|failed to load module|unable to preload css/i.test(
    message,
  )

const notFetched = 'A part of the page could not be fetched. Load the page again: runs are kept.'

/** Returns the words of an error for a user, without the address of a part of the page that could not be fetched. */
export function errorWords(error: unknown): string {
  const message = messageOf(error)
  return isNotFetched(message) ? notFetched : message
}
