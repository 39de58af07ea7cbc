export {
  type BuiltInModel,
  type BuiltInModelOptions,
  builtInModel,
  type PrepareOptions,
} from './builtIn/builtInModel.ts'
export type { PromptApi, PromptMessage, PromptSession } from './builtIn/promptApi.ts'
export type { BuiltInAvailability } from './builtIn/promptError.ts'
export { type KeyVault, type KeyVaultOptions, type KeyVaultState, keyVault } from './vault/keyVault.ts'
export { type Keys, KeyVaultError, type KeyVaultErrorCode } from './vault/sealed.ts'
