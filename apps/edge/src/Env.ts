import type { DurableNamespace } from '@interleave/cloudflare'

/** What wrangler.jsonc binds, and the secrets. */
export interface Env {
  readonly RUNS: DurableNamespace
  readonly USERS: DurableNamespace
  /** The files of the page. */
  readonly ASSETS: { fetch(request: Request): Promise<Response> }
  /** At least 32 bytes. */
  readonly SECRET: string
  readonly ANTHROPIC_API_KEY?: string
  readonly OPENAI_API_KEY?: string
  readonly GOOGLE_API_KEY?: string
  /** Another model than the usual one of the provider. */
  readonly MODEL?: string
}
