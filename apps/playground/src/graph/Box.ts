/** The middle of a box and its width, in pixels. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
}

export const boxHeight = 40
/** Between two rows. */
export const rowGap = 28
