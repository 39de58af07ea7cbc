import type { Json } from '@interleave/core'

export declare const mail: { createDraft(): Promise<Json>; send(draft: Json): Promise<string> }
