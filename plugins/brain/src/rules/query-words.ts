/** Words that stand in nearly every text: they say nothing of which one is meant, and cost the search the most. */
const COMMON = new Set(
  `a about after all also an and any are as at be because been but by can could did do does for from had has have how i if in into is it its just
  like may me more my no not of on or our out over should so some such than that the their them then there these they this those to up us
  was we were what when where which who why will with would you your`.split(/\s+/),
)

/** A question without its common words; as it is when it has no others. */
export function queryWords(query: string): string {
  const words = query.split(/\s+/).filter((word) => !COMMON.has(word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')))
  return words.join(' ').trim() === '' ? query : words.join(' ')
}
