import type { Json } from '@interleave/core'
import fc from 'fast-check'

const word = (min: number, max: number) =>
  fc
    .array(fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'), {
      minLength: min,
      maxLength: max,
    })
    .map((chars) => chars.join(''))
const caps = (length: number) =>
  fc
    .array(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'), { minLength: length, maxLength: length })
    .map((chars) => chars.join(''))
const digits = fc.integer({ min: 10, max: 99 })

/** Secrets as services give them out, that are known by their shape. */
export const secretOf: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(word(30, 44), digits).map(([a, n]) => `sk-${a}${n}`),
  fc.tuple(word(30, 60), digits).map(([a, n]) => `sk-proj-${a}_${n}`),
  fc.tuple(word(40, 90), digits).map(([a, n]) => `sk-ant-api03-${a}-${n}AA`),
  word(35, 35).map((a) => `AIza${a}`),
  fc.tuple(fc.constantFrom('ghp', 'gho', 'ghs', 'ghu'), word(36, 36)).map(([kind, a]) => `${kind}_${a}`),
  fc.tuple(word(22, 22), word(59, 59)).map(([a, b]) => `github_pat_${a}_${b}`),
  caps(16).map((a) => `AKIA${a}`),
  fc.tuple(word(20, 30), word(40, 90), word(43, 43)).map((parts) => `eyJ${parts.join('.')}`),
  fc.tuple(word(10, 12), word(24, 24)).map(([a, b]) => `xoxb-${a}-${b}`),
  fc.tuple(word(24, 30), digits).map(([a, n]) => `sk_live_${a}${n}`),
  word(34, 34).map((a) => `hf_${a}`),
  word(36, 36).map((a) => `npm_${a}`),
  word(200, 300).map((a) => `-----BEGIN RSA PRIVATE KEY-----\n${a}\n-----END RSA PRIVATE KEY-----`),
)

type Placed = { readonly text: string; readonly input: Json }

/** The places where they occur. */
export const secretPlaces: readonly ((secret: string) => Placed)[] = [
  (secret) => ({ text: `My key is ${secret}.`, input: { query: `with ${secret} in it` } }),
  (secret) => ({ text: `(${secret})`, input: { headers: { 'X-Api-Key': secret, accept: '*/*' } } }),
  (secret) => ({ text: `"${secret}"`, input: { headers: [['Authorization', `Bearer ${secret}`]] } }),
  (secret) => ({
    text: `Authorization: Bearer ${secret}`,
    input: { headers: [{ name: 'authorization', value: secret }] },
  }),
  (secret) => ({ text: `key=${secret}`, input: { url: `https://a.example/x?api_key=${secret}&y=1` } }),
  (secret) => ({ text: `curl -H 'x-api-key: ${secret}'`, input: { fails: true, message: `401 for ${secret}` } }),
  (secret) => ({ text: `\`${secret}\``, input: { deep: [{ list: [{ clientSecret: secret }] }] } }),
  (secret) => ({
    text: `{"token":${JSON.stringify(secret)}}`,
    input: { body: JSON.stringify({ a: { password: secret } }) },
  }),
  (secret) => ({ text: secret, input: { [secret]: true } }),
]

export const ordinaryTexts: readonly string[] = [
  'The risk-management-and-compliance-team-2026 met on 3 March.',
  'Basic understanding of bearer instruments, tokens and secrets is enough; keys are in the drawer.',
  'Password: ask Ada. The secret: patience. A cookie, please: two.',
  'See https://example.com/a/b?page=2&sort=price&keyword=token#top and mail ada@example.com at 10:30.',
  'const token = next(); if (token === undefined) return key',
  'maxTokens=100, inputTokens: 2000, nextPageToken none; the authorization of trips is easy.',
  'npm install, sk-learn is scikit-learn, task-force-sk-12, the ISBN is 978-3-16-148410-0.',
  'SHA 3f786850e387550fdab836ed7e6dc881de23001b, id 6fa459ea-ee8a-3ca4-894e-db77e160355e.',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ',
  'GB33 BUKB 2020 1555 5555 55 is an account, and 4/tool/0 a call.',
  '{"usage":{"inputTokens":12,"outputTokens":3},"pageToken":"abc123"}',
]
