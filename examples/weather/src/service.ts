interface Answer {
  readonly celsius: number
  readonly sky: string
}

/** Requests one place from the service. Rejects anything that is not a reading: external data is validated first. */
export async function fetchReading(baseUrl: string, place: string, timeoutMs: number, signal: AbortSignal): Promise<Answer> {
  const url = new URL(`current?place=${encodeURIComponent(place)}`, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
  const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), redirect: 'error' })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const { celsius, sky } = (await response.json()) as Partial<Answer>
  if (typeof celsius !== 'number' || typeof sky !== 'string') throw new Error('the answer lacks celsius or sky')
  return { celsius, sky: sky.slice(0, 200) }
}
