'use client'

export { type Observable, useRunState } from './useRunState.ts'
