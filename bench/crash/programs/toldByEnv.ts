import process from 'node:process'
import type { Told } from './call.ts'

const { RUN: run = '', TOOL: tool = '', WORLD: world = '', STORE: store = '' } = process.env

/** What this process is told. */
export const told: Told = { run, tool, world, store }
