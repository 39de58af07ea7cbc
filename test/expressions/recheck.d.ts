/** The build in JavaScript alone. */
declare module 'recheck/lib/browser.js' {
  import type { checkSync } from 'recheck'

  const recheck: { readonly checkSync: typeof checkSync }
  export default recheck
}
