import type { OAuthClientProvider } from '@modelcontextprotocol/client'

export declare const provider: OAuthClientProvider
export declare function popupCode(): Promise<{ code: string; iss?: string }>
