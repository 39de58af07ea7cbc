/** What a record has under a key that comes from elsewhere. "constructor" is no entry of every record. */
export const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined
