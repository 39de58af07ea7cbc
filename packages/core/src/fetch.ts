/** A tool that reads the web, and the checks that keep it out of your network. */
export { publicLookup } from './tools/address.ts'
export { type FetchToolOptions, fetchTool } from './tools/fetchTool.ts'
