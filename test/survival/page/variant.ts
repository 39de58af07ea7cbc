/** Ways to do it wrong, which the test has to see. */
export type Variant = 'sound' | 'writesLate' | 'freshKeys' | 'claimsToRepeat'

const search = new URLSearchParams(location.search)
export const variant = (search.get('variant') ?? 'sound') as Variant
/** When the page was loaded, or the worker started, in milliseconds since the epoch. */
export const since = Number(search.get('since') ?? performance.timeOrigin)
