/** Number of messages of a batch processed at once. */
const AT_ONCE = 4

/**
 * The answers to a batch in its order: a few messages at a time, and none begins once the finished answers exceed `maxBytes`;
 * `refuse` answers the rest. Messages without an answer are processed at once, even while all places are busy.
 */
export async function answersInTurn<Entry>(
  entries: readonly Entry[],
  parts: {
    readonly maxBytes: number
    readonly wantsAnswer: (entry: Entry) => boolean
    readonly answer: (entry: Entry, at: number) => Promise<string | Buffer | undefined>
    readonly refuse: (entry: Entry) => string
    /** Begins the work on messages with an answer when the batch has a place. */
    readonly inPlace: <T>(work: () => Promise<T>) => Promise<T>
  },
): Promise<readonly (string | Buffer)[]> {
  const answers: (string | Buffer | undefined)[] = []
  let bytes = 0
  let next = 0
  const begun = new Set<number>()

  async function begin(at: number): Promise<void> {
    if (begun.has(at)) return
    begun.add(at)
    const entry = entries[at] as Entry
    const answer = bytes > parts.maxBytes && parts.wantsAnswer(entry) ? parts.refuse(entry) : await parts.answer(entry, at)
    answers[at] = answer
    if (answer !== undefined) bytes += Buffer.byteLength(answer)
  }

  async function work(): Promise<void> {
    while (next < entries.length) await begin(next++)
  }

  const worked = entries.some(parts.wantsAnswer) ? parts.inPlace(() => Promise.all(Array.from({ length: AT_ONCE }, work))) : undefined
  // A cancellation must not wait for the call it cancels.
  const notifications = entries.map((entry, at) => (parts.wantsAnswer(entry) ? undefined : begin(at)))
  await Promise.all([worked, ...notifications])
  return answers.filter((answer) => answer !== undefined)
}
