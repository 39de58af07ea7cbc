import type { RunState } from '@interleave/core'
import type { PermissionStore } from '@interleave/core/journal'
import type { AskProps } from '@interleave/react'
import type { ReactNode } from 'react'

export { memo, useEffect } from 'react'
export declare function Markdown(props: { children?: string | null | undefined }): ReactNode
export declare const user: { readonly id: string }
export declare const store: PermissionStore
export declare const initialState: RunState
export declare function MyChoice(props: AskProps<'choice'>): ReactNode
