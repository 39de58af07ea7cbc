import type { ReactNode } from 'react'
import { Inspector, type InspectorProps } from './Inspector.tsx'

export interface WithInspectorProps extends InspectorProps {
  /** The part that selects events, such as a timeline. */
  readonly children: ReactNode
}

/**
 * Combines a part of the devtools with an inspector of the selected event: below it, or next to it if there is room.
 */
export const WithInspector = ({ children, ...props }: WithInspectorProps): ReactNode => (
  <div data-interleave="devtools" data-part="beside">
    {children}
    <Inspector {...props} />
  </div>
)
