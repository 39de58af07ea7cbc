import { type Claims, noClaim } from '../proofs.ts'

export const claims: Claims = {
  'A run executes only while a page reads it.': [
    noClaim('It says what a serverless platform does with a route of Next.'),
  ],
  'Parcel reads entry points such as `@interleave/core/journal` only with this in your `package.json`:': [
    noClaim('It is a setting of Parcel, for Parcel alone.'),
  ],
}
