import process from 'node:process'
import type { Told } from './call.ts'

const { RUN: run = '', TOOL: tool = '', WORLD: world = '', STORE: store = '' } = process.env

/** The instructions of this process. */
export const told: Told = { run, tool, world, store }
