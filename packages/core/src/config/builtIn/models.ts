import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Factory } from '../declared.ts'

/** Models that are made of other ones. */
export const models: Readonly<Record<string, Factory<LanguageModelV4>>> = {}
