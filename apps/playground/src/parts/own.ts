/** Returns the own member of a record under a key that comes from elsewhere, such as "constructor". */
export const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined
