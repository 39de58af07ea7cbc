import { messageOf } from '@interleave/core/internal'

/**
 * Returns true for an error of Chromium, Firefox, WebKit or Vite about a part of the page that could not be fetched.
 */
export const isNotFetched = (message: string): boolean =>
  /dynamically imported module|importing a module script failed|failed to load module|unable to preload css/i.test(
    message,
  )

const notFetched = 'A part of the page could not be fetched. Load the page again: runs are kept.'

/** Returns the text of an error for a user, without the address of a part of the page that could not be fetched. */
export function errorWords(error: unknown): string {
  const message = messageOf(error)
  return isNotFetched(message) ? notFetched : message
}
