/** That nothing listens where the service should be, and what to do. */
export function notReached(url: string, error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
  const why = typeof code === 'string' ? code : message
  return `No gateway answers at ${url} (${why}). Start one with \`gateway start\`, or name another with --url or GATEWAY_URL.`
}
