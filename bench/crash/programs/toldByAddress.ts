import type { Told } from './call.ts'

const { run = '', tool = '', world = '', store = '' } = Object.fromEntries(new URLSearchParams(location.search))

/** What this page is given. */
export const told: Told = { run, tool, world, store }
