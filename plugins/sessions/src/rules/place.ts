export const placeOf = (sessionId: string, seq: number): string => `${sessionId}/${seq}`
