import { approval } from '@interleave/core'
import { shopper } from './shopper.ts'

const { choose = {}, book, look = {} } = shopper.tools

/** The same things to buy, of which a person decides something first. */
export const askingTools = { charge: choose, choose, book: { ...book, approve: approval() }, look }
