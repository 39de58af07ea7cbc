import { trustedPolicy } from './trustedPolicy.ts'

/** The address of a script of this page's own, for workers. Throws for any other. */
export const trustedScriptUrl = (url: string | URL): string => trustedPolicy().createScriptURL(String(url))
