import type { ReactNode } from 'react'
import { Inspector, type InspectorProps } from './Inspector.tsx'

export interface WithInspectorProps extends InspectorProps {
  /** What selects events: a timeline, say. */
  readonly children: ReactNode
}

/** A part of the devtools and the inspector of what is selected in it: below it, or beside it where there is room. */
export const WithInspector = ({ children, ...props }: WithInspectorProps): ReactNode => (
  <div data-interleave="devtools" data-part="beside">
    {children}
    <Inspector {...props} />
  </div>
)
