/**
 * Runs work of a plugin. If that work ends the process as if all were well, the process says who ended it, and fails, so that a supervisor
 * does not take the end for a wanted one.
 */
export async function nameExit<T>(what: string, work: () => Promise<T>): Promise<T> {
  const onExit = (code: number): void => {
    if (code !== 0) return
    process.stderr.write(`gateway: ${what} ended the process; a plugin must not call process.exit\n`)
    process.exitCode = 1
  }
  process.on('exit', onExit)
  try {
    return await work()
  } finally {
    process.off('exit', onExit)
  }
}
