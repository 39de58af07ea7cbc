// Zod would try whether it may make code of text, which the policy of the page forbids and reports. It reads this when it starts.
const global = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
global.__zod_globalConfig = { ...global.__zod_globalConfig, jitless: true }

export {}
