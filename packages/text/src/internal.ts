/** What the other packages of Interleave use of this one. It may change in any release. */
export { writings } from './formatWriting.ts'
