import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'

/**
 * A model that makes calls out of plain text tells in a call's metadata what is wrong with it. The call is not run, and the
 * complaint is its observation.
 */
export const complaintMetadata = (complaint: string): SharedV4ProviderMetadata => ({ interleave: { complaint } })

/** The complaint that the metadata of a call holds, if any. */
export function complaintOf(metadata: SharedV4ProviderMetadata | undefined): string | undefined {
  const complaint = metadata?.interleave?.complaint
  return typeof complaint === 'string' ? complaint : undefined
}
