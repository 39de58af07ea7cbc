/** The message for a part of the page that could not be fetched, and what helps. */
export const notFetched = {
  words: 'This part of the page could not be fetched. Runs are kept, and so is what you wrote.',
  action: { label: 'Load the page again', run: () => location.reload() },
} as const
