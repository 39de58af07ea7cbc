import type { Ask } from '@interleave/core'

export declare function showMyDialog(question: Ask): Promise<never>
