/** The path at which a page has the server that serves it killed. */
export const killPath = '/kill'
