/** What of Trusted Types is used here. Browsers without them take texts. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/** The address of a script of this page's own, for workers. Throws for any other. */
export const trustedScriptUrl = (url: string | URL): string => policy().createScriptURL(String(url))

let made: ReturnType<TrustedTypes['createPolicy']> | undefined

/** A name may be used once. */
function policy(): ReturnType<TrustedTypes['createPolicy']> {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const rules = { createScriptURL: own }
  made ??= trustedTypes ? trustedTypes.createPolicy('playground', rules) : rules
  return made
}

function own(url: string): string {
  if (new URL(url, location.href).origin === location.origin) return url
  throw new Error(`The page starts only scripts of its own, and not ${url}.`)
}
