/** The zoom factor, 1 for the whole run. */
const zooms: readonly number[] = [1, 1.5, 2, 3, 5, 8, 12, 20, 40]

export const zoomIn = (zoom: number): number => zooms.find((one) => one > zoom) ?? zoom
export const zoomOut = (zoom: number): number => zooms.findLast((one) => one < zoom) ?? zoom
