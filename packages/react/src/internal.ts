/** Names that the other packages of Interleave use. They may change in any release. */

export { useDrawEffect } from './effects.ts'
export { nextFrame } from './frames.ts'
export { FormAsk } from './outlet/basicAsks.tsx'
export { refocus } from './outlet/useModal.ts'
export { escapeHidden } from './untrusted/segmentsOf.ts'
