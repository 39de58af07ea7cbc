declare const process: { readonly env: { readonly NODE_ENV?: string } }

/** Bundlers put the value in place of the whole expression; without one there is no `process`. */
export function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV !== 'production'
  } catch {
    return false
  }
}
