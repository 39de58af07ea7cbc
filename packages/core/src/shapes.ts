/** Validators of foreign data, for the other packages of Interleave. They may change in any release. */

export * from './eventShape.ts'
export * from './liveShape.ts'
export * from './shape.ts'
