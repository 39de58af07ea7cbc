export type { JSONSchema7 } from '@ai-sdk/provider'

import type { RunState } from '@interleave/core'
import type { AskProps } from '@interleave/react'
import type { ReactNode } from 'react'

export { memo, useRef } from 'react'
export declare function Markdown(props: { children: string }): ReactNode
export declare const user: { readonly id: string }
export declare const runId: string
export declare const initialState: RunState
export declare function MyChoice(props: AskProps<'choice'>): ReactNode
