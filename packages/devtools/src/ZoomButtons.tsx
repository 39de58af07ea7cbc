import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { zoomIn, zoomOut } from './zooms.ts'

/** Shows less of the time, and more of what was in it. The keys are +, - and 0. */
export const ZoomButtons = ({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }): ReactNode => (
  <fieldset data-part="switch" aria-label="Zoom">
    <button type="button" aria-label="Zoom out" disabled={zoom === 1} onClick={() => onZoom(zoomOut(zoom))}>
      <Icon name="zoomOut" />
    </button>
    <button type="button" disabled={zoom === 1} onClick={() => onZoom(1)}>
      Fit
    </button>
    <button type="button" aria-label="Zoom in" disabled={zoomIn(zoom) === zoom} onClick={() => onZoom(zoomIn(zoom))}>
      <Icon name="zoomIn" />
    </button>
  </fieldset>
)
