import type { Told } from './call.ts'

const { run = '', tool = '', world = '', store = '' } = Object.fromEntries(new URLSearchParams(location.search))

/** The arguments of this page. */
export const told: Told = { run, tool, world, store }
