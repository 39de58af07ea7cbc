import { findRestate } from '../../apps/playground/src/server/restate/startRestate.ts'

/** The program, where it was installed. */
export const restateBinary: string | undefined = findRestate()
