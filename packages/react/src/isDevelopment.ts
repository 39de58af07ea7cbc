declare const process: { readonly env: { readonly NODE_ENV?: string } }

/** Returns true in development. Bundlers replace the whole expression; without a bundler there is no `process`. */
export function isDevelopment(): boolean {
  try {
    return process.env.NODE_ENV !== 'production'
  } catch {
    return false
  }
}
