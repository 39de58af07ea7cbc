import type { LanguageModelV4 } from '@ai-sdk/provider'

export declare const primary: LanguageModelV4
export declare const fallback: LanguageModelV4
