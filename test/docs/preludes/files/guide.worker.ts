export { guide } from './guide.ts'
