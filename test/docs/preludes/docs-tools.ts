import type { ToolSet } from '@interleave/core'

export declare const bank: {
  pay(invoice: string, options: { idempotencyKey: string; signal: AbortSignal }): Promise<string>
}
export declare const briefs: { get(id: string): Promise<{ legal: boolean; text: string }> }
export declare const mcp: { tools(): Promise<ToolSet> }
export declare const readFile: ToolSet[string]
export declare const writeFile: ToolSet[string]
export declare const plugin: unique symbol
export declare const store: { enabled(): Promise<readonly (typeof plugin)[]>; listen(): () => void }
export declare function toolsOf(plugins: readonly (typeof plugin)[]): ToolSet
