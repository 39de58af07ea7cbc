/** Returns true if a host, with or without its port, is this machine by its name. */
export function isLoopback(host: string): boolean {
  const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
}
