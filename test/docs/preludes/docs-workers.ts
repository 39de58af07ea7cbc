import type { LanguageModelV4 } from '@ai-sdk/provider'

export declare const browserModel: LanguageModelV4
