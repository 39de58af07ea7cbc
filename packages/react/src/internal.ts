/** Names that the other packages of Interleave use. They may change in any release. */
export { nextFrame } from './nextFrame.ts'
export { escapeHidden } from './untrusted/hidden.ts'
export { useDrawEffect } from './useDrawEffect.ts'
