/** Key of a message: its session and its number in it. */
export const placeOf = (sessionId: string, seq: number): string => `${sessionId}/${seq}`
