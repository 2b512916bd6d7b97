/** Bytes of an answer for everything but the content of a stash. */
const FRAME_BYTES = 4_096

/** Maximum size of the content of a stash: brain_pop removes it, so that it has to fit into one answer. */
export const stashBytes = ({ answerLimitBytes }: { readonly answerLimitBytes: number }): number => answerLimitBytes - FRAME_BYTES

export const bytesInAnswer = (content: string): number => Buffer.byteLength(JSON.stringify(content))
