// The names that fragments of all pages use without an import.

import { anthropic } from '@ai-sdk/anthropic'
import { openai } from '@ai-sdk/openai'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Agent, Run, ToolSet } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { HandlerOptions } from '@interleave/server'
import { z } from 'zod'

export { anthropic, openai, z }
export declare const model: LanguageModelV4
export declare const strongModel: LanguageModelV4
export declare const search: ToolSet[string]
export declare const tools: { search: ToolSet[string] }
export declare const guide: Agent<string>
export declare const planner: Agent<string>
export declare const run: Run<string>
export declare const journal: Journal
/** Of a server. */
export declare const env: Readonly<Record<'SECRET' | 'DOCS_KEY' | 'HUB_SECRET' | 'RESTATE', string>>
export declare const secret: string
export declare const authorize: HandlerOptions['authorize']
export declare function sessionOf(token: string | null): Promise<{ userId: string } | undefined>
/** Of a page. */
export declare function token(): string
export declare const editor: { mark(text: string): number }
