import { LinkedSignal } from './linked-signal.ts'

export async function withEither<T>(one: AbortSignal, other: AbortSignal, work: (either: AbortSignal) => Promise<T>): Promise<T> {
  const either = new LinkedSignal(one)
  const end = (): void => either.abort(other.reason)
  if (other.aborted) end()
  else other.addEventListener('abort', end, { once: true })
  try {
    return await work(either.signal)
  } finally {
    either.unlink()
    other.removeEventListener('abort', end)
  }
}
