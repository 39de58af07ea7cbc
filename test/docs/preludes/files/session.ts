/** The user of a token; here the token is the user. */
export async function sessionOf(token: string | null): Promise<{ userId: string } | undefined> {
  return token ? { userId: token } : undefined
}

/** The token of the user of this page. */
export function token(): string {
  return 'ada'
}
