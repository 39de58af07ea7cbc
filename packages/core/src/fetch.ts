/** A tool that reads the web, and what keeps it out of your network. */
export { publicLookup } from './tools/address.ts'
export { type FetchToolOptions, fetchTool } from './tools/fetchTool.ts'
