/** Names that the other packages of Interleave use. They may change in any release. */
export { writings } from './format.ts'
