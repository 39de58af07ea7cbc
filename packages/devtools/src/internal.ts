/** Names that the other packages of Interleave use. They may change in any release. */
export { count, counted, duration, money } from './wording.ts'
