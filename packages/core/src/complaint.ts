import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'

/**
 * Metadata of an invalid call, from a model that writes calls as plain text. The call does not run, and the problem is
 * its observation.
 */
export const complaintMetadata = (complaint: string): SharedV4ProviderMetadata => ({ interleave: { complaint } })

/** Returns the problem from a call's metadata, if there is one. */
export function complaintOf(metadata: SharedV4ProviderMetadata | undefined): string | undefined {
  const complaint = metadata?.interleave?.complaint
  return typeof complaint === 'string' ? complaint : undefined
}
