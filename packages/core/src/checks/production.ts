// In place of `development.ts` where the condition `development` is not set: bundlers drop calls of empty functions.

/** True in development. A sentence for developers alone is `DEV && sentence`, and production builds leave it out. */
export const DEV: boolean = false

export function checkOptions(): void {}
export function checkArgument(): void {}
export function checkStore(): void {}
export function checkHost(): void {}
export function checkRun(): void {}
export function checkRunState(): void {}
export function checkHandle(): void {}
export function checkModel(): void {}
export function checkModels(): void {}
export function checkEvents(): void {}
export function checkStep(): void {}
export function schemaAdvice(): void {}
