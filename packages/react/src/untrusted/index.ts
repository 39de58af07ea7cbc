export { type ForeignLink, foreignLink, hostOf } from './addresses.ts'
export { hasHidden, plainJson, plainText, segmentsOf, type TextSegment } from './segmentsOf.ts'
