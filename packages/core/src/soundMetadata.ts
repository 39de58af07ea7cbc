import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'
import { harmless } from './harmless.ts'
import { isObject } from './json.ts'

/** Metadata of a provider as it may stand in a log. What is none is left out: nobody needs it to go on. */
export const soundMetadata = (metadata: unknown): { readonly providerMetadata?: SharedV4ProviderMetadata } =>
  isObject(metadata) ? { providerMetadata: harmless(metadata) as SharedV4ProviderMetadata } : {}

/** A part of a model's turn with such metadata. */
export function withSoundMetadata<P extends { readonly providerMetadata?: SharedV4ProviderMetadata }>(part: P): P {
  const { providerMetadata, ...others } = part
  return { ...others, ...soundMetadata(providerMetadata) } as P
}
